"""What the compiler and the linker do for the program that is shipped."""
import platform
import subprocess

import pytest

from harness import ROOT

PROGRAM = ROOT / "build/reeve"


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_the_program_is_position_independent_and_its_tables_are_read_only():
    head, parts, dynamic = (output_of("readelf", "-W", f"-{part}", PROGRAM) for part in "hld")
    assert "DYN (" in head
    assert "GNU_RELRO" in parts and "BIND_NOW" in dynamic
    assert [line.split()[-2] for line in parts.splitlines() if "GNU_STACK" in line] == ["RW"]


def test_writes_into_buffers_are_checked_and_the_stack_has_guards():
    names = output_of("readelf", "-W", "--dyn-syms", PROGRAM)
    assert "__snprintf_chk" in names and "__stack_chk_fail" in names
    assert "-D_FORTIFY_SOURCE=3" in output_of("make", "-n", "-B", "build/release/main.o")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="another processor has another way")
def test_functions_begin_with_a_mark_for_indirect_calls():
    start = output_of("objdump", "-d", "--disassemble=main", PROGRAM)
    assert "endbr64" in start
    assert "IBT" in output_of("readelf", "-W", "-n", ROOT / "build/release/bundle.o")
