import { UsageError } from '../cli-error.ts'
import { forwardAll } from '../listen/forward-all.ts'
import { findEnd, followEvents, type Position } from '../listen/follow-events.ts'
import { listenFile, newSecret, readListenState, writeListenState } from '../listen/listen-state.ts'
import { defineCommand, type Outcome } from '../line/command.ts'
import { optionalText, optionalNumber } from '../line/option.ts'
import { writeTime } from '../output/times.ts'
import { writeJson } from '../output/write-json.ts'
import { openSession, sessionOptions, type Session } from '../profiles/open-session.ts'
import type { Terminal } from '../terminal.ts'

type Listening = { session: Session; types: string | null; from: string | null; isJson: boolean; terminal: Terminal }

export const listen = defineCommand({
  details:
    'Reads the log of events and prints each, or sends each to a program on this machine as a signed webhook, in order. It goes on until Ctrl-C. How ' +
    'far it is, is kept for each receiver: what happens while it is not running, or without a network, is forwarded later. The API key needs ' +
    'webhooks:read.',
  examples: [
    'carillon listen',
    'carillon listen --forward http://localhost:3000/hooks/carillon',
    'carillon listen --forward http://localhost:3000/hooks --events upload.completed,upload.failed',
  ],
  options: {
    forward: optionalText({ placeholder: 'URL', about: 'Where to send each event, such as http://localhost:3000/hooks.' }),
    events: optionalText({ placeholder: 'NAMES', about: 'Only these events, with commas between them. Without it: all.' }),
    from: optionalText({
      placeholder: 'TIME',
      about: 'Begin at this date or time, up to 30 days ago, wherever it stopped before.',
    }),
    secret: optionalText({
      placeholder: 'SECRET',
      about:
        'Sign with the secret of your webhook, also from CARILLON_WEBHOOK_SECRET. Without it: one that is made, kept and printed.',
    }),
    attempts: optionalNumber({
      placeholder: 'N',
      min: 1,
      max: 1000,
      about: 'Give an event up after so many attempts, and go on with the next. Without it: none is given up.',
    }),
    ...sessionOptions,
  },
  async run({ forward, events: types, from, secret, attempts, ...wanted }, _words, { terminal, isJson }) {
    if (forward === null && secret !== null) throw new UsageError('--secret belongs to --forward.')
    const target = forward === null ? null : readTarget(forward)
    // It tries again by itself, for as long as it takes.
    const session = await openSession(wanted, terminal.env, { retries: 0 })
    const listening = { session, types, from, isJson, terminal }
    if (target === null) return printEvents(listening)
    return forwardTo(target, {
      ...listening,
      attempts,
      secret: secret ?? terminal.env['CARILLON_WEBHOOK_SECRET']?.trim() ?? null,
    })
  },
})

function readTarget(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--forward must be an address such as http://localhost:3000/hooks, not "${text}".`)
  return text
}

async function printEvents({ session, types, from, isJson, terminal }: Listening): Promise<Outcome> {
  const { events } = session.carillon
  const start = from === null ? await findEnd(events) : { from }
  terminal.note('Waiting for events. Ctrl-C ends it.')
  for await (const event of followEvents(events, { start, types, note: terminal.note })) {
    const subject = event.data !== null && 'uploadId' in event.data ? event.data.uploadId : ''
    terminal.print(isJson ? writeJson(event) : `${writeTime(event.timestamp, null)}  ${event.event}  ${subject}`.trimEnd())
  }
  return { data: undefined, text: null }
}

async function forwardTo(
  forward: string,
  {
    session,
    types,
    from,
    isJson,
    terminal,
    secret: given,
    attempts,
  }: Listening & { secret: string | null; attempts: number | null },
): Promise<Outcome> {
  const { carillon, origin, workspaceId } = session
  const file = listenFile(terminal.env, { origin, workspaceId, forward, types })
  const kept = await readListenState(file)
  const secret = given ?? kept?.secret ?? newSecret()
  const start: Position = from === null ? (kept?.position ?? (await findEnd(carillon.events))) : { from }
  // Before the first event too: a restart goes on from here.
  await writeListenState(file, { position: start, secret })
  terminal.note(
    `Forwarding to ${forward}. Signing secret: ${secret}\nCtrl-C ends it; the next start goes on where this one stopped.`,
  )
  await forwardAll({
    events: followEvents(carillon.events, { start, types, note: terminal.note }),
    forward,
    secret,
    file,
    attemptsMax: attempts ?? Infinity,
    note: terminal.note,
    report: (forwarded) =>
      terminal.print(isJson ? writeJson(forwarded) : `${forwarded.result.padEnd(4)} ${forwarded.event}  ${forwarded.deliveryId}`),
  })
  return { data: undefined, text: null }
}
