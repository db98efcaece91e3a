import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTool } from './check/run-tool.ts'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { root } from '../stack/services/folders.ts'
import { upStack } from '../stack/src/up.ts'
import { downStack } from '../stack/src/down.ts'

exitWithHelp(
  'pnpm conformance [--slow]   runs the black-box checker of the interface against a fresh stack; its options are passed on',
)
const checker = join(root, 'e2e/conformance/check.mjs')
const name = 'conformance'

const stack = await upStack({ name, fsync: false, s3: true, mail: true, report: (step) => console.log(`✔ ${step.name}`) })
const file = join(stack.info.dir, 'conformance.json')
await mkdir(stack.info.dir, { recursive: true })
await writeFile(file, JSON.stringify(stack.info))
const isOk = await runTool('node', [checker, '--stack', file, ...process.argv.slice(2)])
await stack.stop()
// The logs of the stack are kept when a check has failed.
if (isOk) await downStack(name, { clean: true })
process.exitCode = isOk ? 0 : 1
