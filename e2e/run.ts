import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTests } from '@carillon/scripts/run-tests'
import { upStack } from '@carillon/scripts/stack'
import { sendDoomedDelivery } from './rig/doomed-delivery.ts'
import { connectRealServers } from './rig/real-servers.ts'

/** `pnpm e2e [filters]`: a stack of its own with real servers beside it, every path from outside, then all of it down again. */
const stack = await upStack({ name: 'e2e', fsync: false, s3: true, mail: true, report: (step) => console.log(`✔ ${step.name}`) })
try {
  const doomed = await sendDoomedDelivery(stack.info)
  const real = await connectRealServers(stack)
  const file = join(stack.info.dir, 'world.json')
  await writeFile(file, JSON.stringify({ ...stack.info, real: real.connections, doomed }))

  const config = join(import.meta.dirname, 'vitest.config.ts')
  const filters = process.argv.slice(2)
  const { passed, failed } = await runTests({ args: ['--config', config, ...filters], env: { CARILLON_WORLD: file } })
  await real.stop()
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  await stack.stop()
}
