"""Laws of instruction counts by block, from a disassembly."""

from __future__ import annotations

from apet.traces.mpi.weights import block_weights

LISTING = """
prog:     file format elf64-x86-64

Disassembly of section .text:

0000000000001180 <sum>:
    1180:	endbr64
    1184:	push   %rbx
    1185:	call   1139 <__sanitizer_cov_trace_pc>
    118a:	mov    $0x0,%eax
    118f:	nopw   0x0(%rax,%rax,1)
    1195:	call   1139 <__sanitizer_cov_trace_pc@plt>
    119a:	add    $0x1,%eax
    119d:	cmp    $0x9,%eax
    11a0:	jle    1195 <sum+0x15>
    11a2:	call   1139 <__sanitizer_cov_trace_pc>
    11a7:	ret
    11a8:	nop

00000000000011b0 <plain>:
    11b0:	mov    %edi,%eax
    11b2:	ret
"""


def test_instructions_belong_to_the_call_before_them_and_those_before_all_to_the_first() -> None:
    assert block_weights(LISTING) == {0x118A: 2, 0x119A: 3, 0x11A7: 1}


def test_functions_without_calls_have_no_weight() -> None:
    assert block_weights(LISTING[LISTING.index("00000000000011b0") :]) == {}
