import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { runTool } from './check/run-tool.ts'

exitWithHelp('pnpm fix   formats, and repairs what the linter can repair')
const isOk = (await runTool('oxfmt', [])) && (await runTool('oxlint', ['--fix', ...process.argv.slice(2)]))
process.exitCode = isOk ? 0 : 1
