#pragma once

#include <nanobind/nanobind.h>

// The last resort at a signal.
void bind_watching(nanobind::module_& module);
