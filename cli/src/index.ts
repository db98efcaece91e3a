export { commands } from './command-list.ts'
export { isCommandForPeople, runCli } from './run-cli.ts'
