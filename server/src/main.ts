#!/usr/bin/env node
import { commands as commandsForPeople, isCommandForPeople, runCli } from '@carillon/cli'
import { commands } from './commands/commands.ts'
import { exitCodes, runProgram } from './infra/command-line/run-program.ts'
import { programVersion } from './infra/assets/program-version.ts'

const nodeMin = 24
const node = process.versions.node

// The commands are loaded later, because their libraries do not even load in an old version.
if (Number(node.split('.')[0]) < nodeMin) {
  console.error(`Carillon needs Node ${nodeMin} or newer, and this is Node ${node}. Install it, for example from nodejs.org.`)
  process.exit(exitCodes.failed)
}

// Without a command, a person who has just found this program sees it work.
const words = process.argv.length > 2 ? process.argv.slice(2) : ['try']

// The commands that call the API are a package of their own. They share the word with those of the installation, and none of their names.
const code = isCommandForPeople(words)
  ? await runCli(words, { version: programVersion(), others: commands })
  : await runProgram(words, {
      entries: commands,
      entriesForPeople: commandsForPeople,
      about: 'Carillon publishes to many social accounts: on time, once, and with a reliable result for each.',
      version: programVersion(),
      print: (text) => console.log(text),
      printError: (text) => console.error(text),
    })
// A failed command may have left connections open, which would keep the process alive. A command that succeeded may go on, like `serve`.
if (code === exitCodes.ok) process.exitCode = code
else process.exit(code)
