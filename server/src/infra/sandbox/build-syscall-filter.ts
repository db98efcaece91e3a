import type { SyscallTable } from './syscalls.data.ts'

// Operations of the classic BPF machine that runs a seccomp filter.
const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06

// Offsets in `struct seccomp_data`.
const numberAt = 0
const archAt = 4
const firstArgumentAt = 16

const allow = 0x7fff0000
const killProcess = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const notPermitted = fail(1)
const notImplemented = fail(38)

/** From here on, numbers are those of the x32 interface, which would be a way around the list. */
const x32From = 0x40000000
/** The flags of `clone` that make a namespace. */
const namespaceFlags = 0x7e020000

type Instruction = { code: number; value: number; ifTrue?: string; ifFalse?: string; label?: string }

/**
 * The program of a seccomp filter: it denies the calls of the table and allows all others. `clone3` is reported as missing, because a filter
 * cannot read its flags; libraries then use `clone`.
 */
export function buildSyscallFilter({ auditArch, clone, clone3, denied }: SyscallTable): Buffer {
  return assemble([
    { code: load, value: archAt },
    { code: jumpIfEqual, value: auditArch, ifFalse: 'kill' },
    { code: load, value: numberAt },
    { code: jumpIfAtLeast, value: x32From, ifTrue: 'missing' },
    { code: jumpIfEqual, value: clone3, ifTrue: 'missing' },
    { code: jumpIfEqual, value: clone, ifTrue: 'clone' },
    ...Object.values(denied).map((number) => ({ code: jumpIfEqual, value: number, ifTrue: 'deny' })),
    { code: answer, value: allow },
    { code: load, value: firstArgumentAt, label: 'clone' },
    { code: jumpIfAnyBit, value: namespaceFlags, ifTrue: 'deny' },
    { code: answer, value: allow },
    { code: answer, value: notPermitted, label: 'deny' },
    { code: answer, value: notImplemented, label: 'missing' },
    { code: answer, value: killProcess, label: 'kill' },
  ])
}

/** Writes `struct sock_filter` for each instruction. A jump counts the instructions that it leaves out. */
function assemble(instructions: readonly Instruction[]): Buffer {
  const program = Buffer.alloc(instructions.length * 8)
  const distance = (from: number, label: string | undefined) =>
    label === undefined ? 0 : instructions.findIndex((each) => each.label === label) - from - 1
  for (const [at, { code, value, ifTrue, ifFalse }] of instructions.entries()) {
    program.writeUInt16LE(code, at * 8)
    program.writeUInt8(distance(at, ifTrue), at * 8 + 2)
    program.writeUInt8(distance(at, ifFalse), at * 8 + 3)
    program.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return program
}
