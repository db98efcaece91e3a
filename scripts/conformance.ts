import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { runTool } from './check/run-tool.ts'
import { root } from '../stack/services/folders.ts'
import { upStack } from '../stack/src/up.ts'
import { downStack } from '../stack/src/down.ts'

/** Runs the black-box checker of the interface against a stack of its own; without the checker there is nothing to do. */
const checker = resolve(root, process.env['CARILLON_CONFORMANCE'] ?? '../shared/conformance/check.mjs')
const name = 'conformance'

if (!existsSync(checker)) {
  console.log('no conformance checker here: CARILLON_CONFORMANCE may name one\n0 passed, 0 failed')
} else {
  const stack = await upStack({ name, fsync: false, s3: true, mail: true, report: (step) => console.log(`✔ ${step.name}`) })
  const file = join(stack.info.dir, 'conformance.json')
  await mkdir(stack.info.dir, { recursive: true })
  await writeFile(file, JSON.stringify(stack.info))
  const isOk = await runTool('node', [checker, '--stack', file, ...process.argv.slice(2)])
  await stack.stop()
  // What went wrong is in the logs of that stack: they are kept when it did.
  if (isOk) await downStack(name, { clean: true })
  process.exitCode = isOk ? 0 : 1
}
