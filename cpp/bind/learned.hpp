#pragma once

#include <nanobind/nanobind.h>

// Learned values, the beam over them, and their training.
void bind_learned(nanobind::module_& module);
