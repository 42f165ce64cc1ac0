// The parts of the module that are bound in files of their own.
#pragma once

#include <nanobind/nanobind.h>

void bind_passes(nanobind::module_& module);
void bind_paths(nanobind::module_& module);
void bind_tables(nanobind::module_& module);
