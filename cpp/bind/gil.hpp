// The GIL, for threads that may still search when Python ends.
//
// A daemon thread that asks for the GIL while Python ends is ended by pthread_exit, which ends the process by
// std::terminate when it comes to a destructor. So such a thread waits here until the process is gone, as it does in Python
// itself from 3.14 on.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

class Doorkeeper {
public:
    // Before a thread asks for the GIL, and when it has done what it wanted it for.
    void come_in() {
        ++inside_;
        if (!leaving_) return;
        --inside_;
        wait_for_the_end();
        ++inside_;
    }
    void go_out() { --inside_; }

    // Called with the GIL, just before Python ends: lets those out that are inside.
    void leave() {
        leaving_ = true;
        PyThreadState* state = PyEval_SaveThread();
        for (int looks = 0; inside_ > 0 && looks < 500; ++looks) std::this_thread::sleep_for(a_moment);
        PyEval_RestoreThread(state);
    }

private:
    static constexpr std::chrono::milliseconds a_moment{2};

    static bool finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
        return Py_IsFinalizing() != 0;
#else
        return _Py_IsFinalizing() != 0;
#endif
    }

    // Another function that runs at the end may wait for this thread, so it is not kept for ever unless Python has ended.
    static void wait_for_the_end() {
        for (int looks = 0; !finalizing() && looks < 100; ++looks) std::this_thread::sleep_for(a_moment);
        while (finalizing()) std::this_thread::sleep_for(std::chrono::hours(1));
    }

    std::atomic<bool> leaving_ = false;
    std::atomic<int> inside_ = 0;
};

inline Doorkeeper doorkeeper;

// Work without the GIL.
class GilReleased {
public:
    GilReleased() : state_(PyEval_SaveThread()) {}
    ~GilReleased() {
        doorkeeper.come_in();
        PyEval_RestoreThread(state_);
        doorkeeper.go_out();
    }
    GilReleased(const GilReleased&) = delete;
    GilReleased& operator=(const GilReleased&) = delete;

private:
    PyThreadState* state_;
};

// A call of Python from such work.
class GilHeld {
public:
    GilHeld() {
        doorkeeper.come_in();
        state_ = PyGILState_Ensure();
    }
    ~GilHeld() {
        PyGILState_Release(state_);
        doorkeeper.go_out();
    }
    GilHeld(const GilHeld&) = delete;
    GilHeld& operator=(const GilHeld&) = delete;

private:
    PyGILState_STATE state_;
};
