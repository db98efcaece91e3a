export { commands } from './command-list.ts'
export type { CommandEntry } from './line/command.ts'
export { isCommandForPeople, runCli } from './run-cli.ts'
