#pragma once

#include <nanobind/nanobind.h>

// Learned values, the beam over them, and their training.
void bind_learned(nanobind::module_& module);
// Models as heuristics.
void bind_models(nanobind::module_& module);
