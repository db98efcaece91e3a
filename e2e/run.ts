import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTests } from '@carillon/scripts/run-tests'
import { upStack, type StackInfo } from '@carillon/stack'
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
  const runs = [await runTests({ args: ['--config', config, ...filters], env: { CARILLON_WORLD: file } })]
  // What every store promises is tested beside the code, and here against the real one.
  if (filters.length === 0) runs.push(await runTests({ args: ['server/src/media/storage'], env: testStoreEnv(stack.info) }))
  await real.stop()
  const [passed, failed] = [runs.reduce((sum, run) => sum + run.passed, 0), runs.reduce((sum, run) => sum + run.failed, 0)]
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  await stack.stop()
}

function testStoreEnv({ s3 }: StackInfo): Record<string, string> {
  if (!s3) throw new Error('the end-to-end stack keeps its media in S3')
  return {
    CARILLON_TEST_S3_ENDPOINT: s3.endpoint,
    CARILLON_TEST_S3_REGION: s3.region,
    CARILLON_TEST_S3_BUCKET: s3.bucket,
    CARILLON_TEST_S3_ACCESS_KEY: s3.accessKey,
    CARILLON_TEST_S3_SECRET_KEY: s3.secretKey,
  }
}
