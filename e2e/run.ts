import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addTallies, runTests, tallyLine } from '@carillon/scripts/run-tests'
import { upStack, type Stack, type StackInfo } from '@carillon/stack'
import { exitWithHelp } from '@carillon/stack/services'
import { acceptanceNames } from './support/acceptance-names.ts'
import { sendUndeliverableWebhook } from './support/send-undeliverable-webhook.ts'
import { runBrowserTests } from './browser/run-browser-tests.ts'
import { findDockerProblem } from './containers/find-docker-problem.ts'
import { connectRealServers } from './support/connect-real-servers.ts'

exitWithHelp(`pnpm e2e [filters], pnpm e2e acceptance [filters]
               starts a stack and real servers, tests every path from the outside, and stops everything again
pnpm e2e --part 1, pnpm e2e --part 2
               run one half of that each, and may run at the same time, because each has its own stack
pnpm e2e attack [filters]     repeats known attacks
pnpm e2e browser [filters]    tests the web app in a real browser
pnpm e2e shots [filters]      makes pictures of its screens

These start their own stacks, and some take several minutes:
pnpm e2e restore      the drill of a restore
pnpm e2e upgrade      the drill of an upgrade
pnpm e2e failover     the drills of a failover and of lost engines
pnpm e2e alerts       breaks a stack that a Prometheus watches and expects the right alerts
pnpm e2e pooler       runs the service behind PgBouncer
pnpm e2e cells        moves a workspace between two cells behind a router
pnpm e2e kills        kills processes that edit scheduled posts
pnpm e2e live         runs the live test on all simulated platforms and on real servers, and compares what it recorded

These need no stack:
pnpm e2e containers   builds the image and does what its guide says, with Docker
pnpm e2e release      makes two releases in a copy of the repository, and installs them from a registry of this machine
pnpm e2e chart        renders the Helm chart
pnpm e2e docs         reads the documentation site in a browser`)
const filters = process.argv.slice(2)
/** These suites need no stack, or start their own. */
const aloneSuites = [
  'restore',
  'upgrade',
  'failover',
  'cells',
  'alerts',
  'pooler',
  'kills',
  'chart',
  'docs',
  'containers',
  'release',
  'live',
]
/** Every test of these is a step that needs the one before it. */
const suitesOfSteps = ['restore', 'upgrade', 'pooler', 'containers', 'release']
/**
 * These take half of the time of all acceptance tests, most of which is waiting: for questions about lost answers, for an outage, for retries. None
 * of them needs a real server.
 */
const secondPart = [
  'acceptance/mcp-conformance.test.ts',
  'acceptance/publishing.test.ts',
  'acceptance/shared-accounts.test.ts',
  'acceptance/web-app.test.ts',
  'acceptance/interface/analytics.test.ts',
  'acceptance/interface/idempotency-scope.test.ts',
  'acceptance/interface/outage.test.ts',
  'acceptance/interface/rebinding.test.ts',
  'acceptance/interface/states.test.ts',
  'acceptance/interface/webhooks.test.ts',
]
const acceptanceConfig = join(import.meta.dirname, 'vitest.config.ts')
const failures = await runSuite()
process.exitCode = failures > 0 ? 1 : 0

async function runSuite(): Promise<number> {
  const [suite, ...rest] = filters
  const problem = suite === 'containers' ? await findDockerProblem() : null
  if (problem !== null) {
    console.log(`skipped: the containers: ${problem}`)
    console.log(tallyLine({ passed: 0, failed: 0, flaky: 0, skipped: 1 }))
    return 0
  }
  if (suite !== undefined && aloneSuites.includes(suite)) return runAlone(suite, rest)
  if (suite === 'attack') return runAttacks(rest)
  if (suite === 'browser' || suite === 'shots') return runBrowserTests(suite, rest)
  if (suite === '--part' && rest[0] === '2') return runSecondPart()
  if (suite === '--part' && rest[0] === '1') return runAcceptance(secondPart.map((file) => `--exclude=${file}`))
  if (suite === '--part') throw new Error('the parts are 1 and 2')
  return runAcceptance(acceptanceNames(filters))
}

/** Attacks need two tenants and a mail server, but no real platforms. */
async function runAttacks(names: readonly string[]): Promise<number> {
  const words = names.filter((name) => !name.startsWith('--'))
  // Several runs, each with other files, may run at the same time.
  const stack = await upStack({
    name: ['attack', ...words].join('-').replaceAll(/[^a-z0-9]+/g, '-'),
    fsync: false,
    mail: true,
    report: (step) => console.log(`✔ ${step.name}`),
  })
  try {
    const file = join(stack.info.dir, 'test-stack.json')
    await writeFile(file, JSON.stringify(stack.info))
    const config = join(import.meta.dirname, 'attack/vitest.config.ts')
    const tally = await runTests({ config, filters: names, env: { CARILLON_TEST_STACK: file }, repeatsFailures: true })
    console.log(tallyLine(tally))
    return tally.failed
  } finally {
    await stack.stop()
  }
}

async function runAlone(suite: string, names: readonly string[]): Promise<number> {
  const config = join(import.meta.dirname, 'alone.config.ts')
  const options = ['--root', join(import.meta.dirname, suite), ...(suitesOfSteps.includes(suite) ? ['--bail=1'] : [])]
  const tally = await runTests({ config, filters: [...options, ...names] })
  console.log(tallyLine(tally))
  return tally.failed
}

function upAcceptanceStack(name: string): Promise<Stack> {
  return upStack({ name, fsync: false, s3: true, mail: true, report: (step) => console.log(`✔ ${step.name}`) })
}

async function runSecondPart(): Promise<number> {
  const stack = await upAcceptanceStack('e2e-2')
  try {
    const file = join(stack.info.dir, 'test-stack.json')
    await writeFile(file, JSON.stringify(stack.info))
    const env = { CARILLON_TEST_STACK: file }
    const tally = await runTests({ config: acceptanceConfig, filters: secondPart, env, repeatsFailures: true })
    console.log(tallyLine(tally))
    return tally.failed
  } finally {
    await stack.stop()
  }
}

async function runAcceptance(names: readonly string[]): Promise<number> {
  const stack = await upAcceptanceStack('e2e')
  try {
    const undeliverable = await sendUndeliverableWebhook(stack.info)
    const real = await connectRealServers(stack)
    const file = join(stack.info.dir, 'test-stack.json')
    await writeFile(file, JSON.stringify({ ...stack.info, real: real.connections, undeliverable }))

    const env = { CARILLON_TEST_STACK: file }
    const runs = [await runTests({ config: acceptanceConfig, filters: names, env, repeatsFailures: true })]
    // The tests of the media stores are in the server's folder. They run here again, against a real S3 server.
    const hasNoFilter = names.every((name) => name.startsWith('--exclude'))
    if (hasNoFilter) runs.push(await runTests({ filters: ['server/src/infra/storage'], env: testStoreEnv(stack.info) }))
    await real.stop()
    const tally = addTallies(runs)
    console.log(tallyLine(tally))
    return tally.failed
  } finally {
    await stack.stop()
  }
}

function testStoreEnv({ s3 }: StackInfo): Record<string, string> {
  if (!s3) throw new Error('the end-to-end stack must store its media in S3')
  return {
    CARILLON_TEST_S3_ENDPOINT: s3.endpoint,
    CARILLON_TEST_S3_REGION: s3.region,
    CARILLON_TEST_S3_BUCKET: s3.bucket,
    CARILLON_TEST_S3_ACCESS_KEY: s3.accessKey,
    CARILLON_TEST_S3_SECRET_KEY: s3.secretKey,
  }
}
