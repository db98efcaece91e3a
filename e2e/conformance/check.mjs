#!/usr/bin/env node
import { ai } from './ai.mjs'
import { analytics } from './analytics.mjs'
import { auth } from './auth.mjs'
import { readConfig } from './config.mjs'
import { content } from './content.mjs'
import { drafts } from './drafts.mjs'
import { createReport, expect } from './lib.mjs'
import { lists } from './lists.mjs'
import { media } from './media.mjs'
import { openReceiver } from './receiver.mjs'
import { cleanUp, idempotency, isolation, wire } from './rules.mjs'
import { states } from './states.mjs'
import { webhooks, webhookSchedule } from './webhooks.mjs'
import { workspaces } from './workspaces.mjs'
import { createContext } from './context.mjs'

const SECTIONS = {
  auth: [auth],
  webhooks: [webhooks], // early: the default run must not skip its long waits when the budget runs short
  content: [content, lists, states, drafts],
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
const context = createContext(config, report)
context.receiver = await openReceiver(config)

for (const [name, parts] of Object.entries(SECTIONS)) {
  if (config.only.length && !config.only.includes(name)) continue
  report.enter(name)
  for (const part of parts) {
    // A request between two checks may throw after an earlier failure. The rest of the section then does not run, which is a failure too.
    await part(context).catch((error) =>
      report.I(`${part.name}: the section ran to its end`, () => expect(false, 'an end', error.stack)),
    )
  }
}
report.enter('wire')
await report.I('the run fits its time budget', () => expect(report.timeLeft() > 0, 'time left', report.timeLeft()), {
  budget: false,
})
if (!config.only.length || config.only.includes('webhooks')) await webhookSchedule(context)
await wire(context)
await cleanUp(context)
context.receiver?.close()
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
