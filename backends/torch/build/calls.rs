//! The functions that the program calls: each jumps by a table, which is filled at the first call.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The names of the C functions in the library, sorted.
pub fn names(library: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output();
    let output = output.map_err(|error| format!("nm, of the binutils: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let functions = text.lines().filter_map(|line| line.split_once(" T ").map(|(_, name)| name));
    let ours = |name: &&str| name.starts_with("at") || *name == "get_and_reset_last_err";
    let mut names: Vec<String> = functions.filter(ours).map(str::to_string).collect();
    names.sort();
    if names.is_empty() { Err("nm finds no functions in the library".into()) } else { Ok(names) }
}

/// The functions, in assembler for x86-64; `{first}` is the function that fills the table.
///
/// Entry N of the table is at first the address of a line that notes N and goes on to the common
/// code, which keeps the registers of arguments over the call of `{first}`.
pub fn text(names: &[String]) -> String {
    let mut text = String::from(".text\n");
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(
            text,
            ".globl {name}\n.hidden {name}\n.type {name}, @function\n.p2align 4\n{name}:\n    \
             jmp qword ptr [rip + ivy_torch_calls + {offset}]\n\
             .Livy_torch_{number}:\n    mov r11d, {number}\n    jmp .Livy_torch_first",
            offset = 8 * number,
        );
    }
    text.push_str(".p2align 4\n.Livy_torch_first:\n    push rbp\n    mov rbp, rsp\n    sub rsp, 192\n");
    let registers = ["rdi", "rsi", "rdx", "rcx", "r8", "r9", "r11"];
    for (i, register) in registers.iter().enumerate() {
        let _ = writeln!(text, "    mov [rsp + {}], {register}", 128 + 8 * i);
    }
    for i in 0..8 {
        let _ = writeln!(text, "    movups [rsp + {}], xmm{i}", 16 * i);
    }
    text.push_str("    call {first}\n");
    for i in 0..8 {
        let _ = writeln!(text, "    movups xmm{i}, [rsp + {}]", 16 * i);
    }
    for (i, register) in registers.iter().enumerate() {
        let _ = writeln!(text, "    mov {register}, [rsp + {}]", 128 + 8 * i);
    }
    text.push_str("    leave\n    lea r10, [rip + ivy_torch_calls]\n    jmp qword ptr [r10 + 8*r11]\n");
    text.push_str(".data\n.p2align 3\n.globl ivy_torch_calls\n.hidden ivy_torch_calls\nivy_torch_calls:\n");
    for number in 0..names.len() {
        let _ = writeln!(text, "    .quad .Livy_torch_{number}");
    }
    text.push_str(".section .rodata\n.globl ivy_torch_names\n.hidden ivy_torch_names\nivy_torch_names:\n");
    for name in names {
        let _ = writeln!(text, "    .asciz \"{name}\"");
    }
    text.push_str("    .byte 0\n.text\n");
    text
}
