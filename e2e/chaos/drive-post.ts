import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Api } from './api.ts'
import { fieldsOf, textOf } from './json.ts'
import type { Step } from './plan.ts'
import { readPost } from './seen-post.ts'
import { note, type Story } from './story.ts'
import type { Violation } from './violation.ts'

type Drive = { api: Api; beganMs: number; keyPrefix: string }

/** Plays one client: creates the post and does with it what the plan says, waiting for each answer to be definite. */
export async function drivePost(drive: Drive, story: Story): Promise<Violation[]> {
  await until(drive.beganMs + story.plan.atMs)
  const refused = await create(drive, story)
  if (refused) return [refused]
  const found: Violation[] = []
  for (const [at, step] of story.plan.steps.entries()) {
    await until(drive.beganMs + step.atMs)
    found.push(...(await take(drive, story, { ...step, key: `${drive.keyPrefix}-${story.plan.n}-${at}` })))
  }
  return found
}

async function create({ api, beganMs, keyPrefix }: Drive, story: Story): Promise<Violation | null> {
  const { plan, text, comment, connections } = story
  const nowMs = Date.now()
  const dueMs = plan.dueInMs === null ? null : nowMs + plan.dueInMs
  const body = {
    text,
    connections,
    ...(comment !== null && { firstComment: comment }),
    ...(dueMs !== null && { scheduledAt: new Date(dueMs).toISOString() }),
    ...(plan.isDraft && { saveDraft: true }),
    ...(plan.isAsync && { async: true }),
  }
  const ask = () => api({ method: 'POST', path: '/content/text', body, key: `${keyPrefix}-${plan.n}` })
  const answers = await Promise.all(Array.from({ length: plan.racers }, ask))
  for (const answer of answers) note(story, beganMs, `create: ${told(answer)}`)
  const ids = new Set(answers.map(({ data }) => textOf(fieldsOf(data)['requestId']) ?? textOf(fieldsOf(data)['draftId'])))
  const [first] = answers
  if (!first || first.status >= 300)
    return { kind: 'refused', text, detail: `create was refused: ${JSON.stringify(first?.body)}` }
  const [id] = ids
  story.requestId = id ?? null
  story.earliestMs = dueMs ?? nowMs
  if (plan.isDraft) story.wish = 'stopped'
  if (ids.size === 1) return null
  return { kind: 'doubled', text, detail: `one Idempotency-Key gave ${ids.size} posts: ${[...ids].join(', ')}` }
}

async function take({ api, beganMs }: Drive, story: Story, step: Step & { key: string }): Promise<Violation[]> {
  const { text } = story
  const path = `/content/${story.requestId}`
  if (step.does === 'delete') {
    const answer = await api({ method: 'DELETE', path })
    note(story, beganMs, `delete: ${told(answer)}`)
    // A second try finds nothing when the first was carried out and only its answer was lost.
    const isGone = answer.status === 200 || (answer.status === 404 && answer.tries > 1)
    if (!isGone) return [{ kind: 'missing', text, detail: `delete answered ${told(answer)}` }]
    Object.assign(story, { wish: 'deleted', stoppedAtMs: Date.now() })
    return []
  }
  const verb = { reschedule: 'reschedule', unschedule: 'unschedule', publish: 'publish', publishNow: 'publish-now' }[step.does]
  const body = step.does === 'reschedule' ? { scheduledAt: new Date(Date.now() + step.dueInMs).toISOString() } : undefined
  const askedMs = Date.now()
  const answer = await api({ method: 'POST', path: `${path}/${verb}`, key: step.key, ...(body && { body }) })
  note(story, beganMs, `${verb}: ${told(answer)}`)
  if (answer.status === 404) return [{ kind: 'missing', text, detail: `${verb} answered ${told(answer)}` }]
  // Too late is a legitimate answer to anything that would change what is already on its way.
  if (answer.status === 409) return []
  if (answer.status !== 200) return [{ kind: 'refused', text, detail: `${verb} answered ${told(answer)}` }]
  const { scheduledAtMs, status } = readPost(answer.data)
  if (step.does === 'unschedule') Object.assign(story, { wish: 'stopped', stoppedAtMs: Date.now() })
  if (step.does === 'reschedule') story.earliestMs = scheduledAtMs ?? askedMs
  if (step.does === 'publishNow') story.earliestMs = askedMs
  if (step.does === 'publish') {
    const isAhead = status === 'scheduled' && scheduledAtMs !== null
    Object.assign(story, { wish: 'publish', stoppedAtMs: null, earliestMs: isAhead ? scheduledAtMs : askedMs })
  }
  return []
}

function told({ status, code, tries, isReplay }: Answer): string {
  return `${status}${code === null ? '' : ` ${code}`}${isReplay ? ' (replayed)' : ''} after ${tries} ${tries === 1 ? 'try' : 'tries'}`
}

async function until(timeMs: number): Promise<void> {
  const waitMs = timeMs - Date.now()
  if (waitMs > 0) await sleep(waitMs)
}
