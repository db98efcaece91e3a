#!/usr/bin/env node
import { ai } from './ai.mjs'
import { analytics } from './analytics.mjs'
import { auth } from './auth.mjs'
import { readConfig } from './config.mjs'
import { content } from './content.mjs'
import { createReport, expect } from './lib.mjs'
import { lists } from './lists.mjs'
import { media } from './media.mjs'
import { openReceiver } from './receiver.mjs'
import { cleanUp, idempotency, isolation, wire } from './rules.mjs'
import { states } from './states.mjs'
import { webhooks, webhookSchedule } from './webhooks.mjs'
import { workspaces } from './workspaces.mjs'
import { createWorld } from './world.mjs'

const SECTIONS = {
  auth: [auth],
  webhooks: [webhooks], // early: the default run must not skip its long waits when the budget runs short
  content: [content, lists, states],
  media: [media],
  ai: [ai],
  analytics: [analytics],
  workspaces: [workspaces],
  idempotency: [idempotency],
  isolation: [isolation],
}

const config = readConfig()
const unknown = config.only.filter((name) => !SECTIONS[name])
if (unknown.length) {
  console.error(`no section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`)
  process.exit(2)
}

const report = createReport(config)
const world = createWorld(config, report)
world.receiver = await openReceiver(config)

for (const [name, parts] of Object.entries(SECTIONS)) {
  if (config.only.length && !config.only.includes(name)) continue
  report.enter(name)
  for (const part of parts) {
    // Requests between checks may throw when an earlier one went wrong; the rest of the section is then lost, and said so.
    await part(world).catch((error) =>
      report.I(`${part.name}: the section ran to its end`, () => expect(false, 'an end', error.stack)),
    )
  }
}
report.enter('wire')
await report.I('the run fits its time budget', () => expect(report.timeLeft() > 0, 'time left', report.timeLeft()), {
  budget: false,
})
if (!config.only.length || config.only.includes('webhooks')) await webhookSchedule(world)
await wire(world)
await cleanUp(world)
world.receiver?.close()
// The checks of the last section judge the run itself, so they do not count: a run in which every section was skipped must fail.
await report.I(
  'the run executed checks',
  () => {
    const executed = report.checks.filter(({ section, result }) => section !== 'wire' && result !== 'skip').length
    expect(executed > 0, 'at least one executed check', executed)
  },
  { budget: false },
)
const { failed } = report.finish()
process.exit(failed ? 1 : 0)
