import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../judge/violation.ts'
import type { PostKind } from '../plan/platform-traits.ts'
import { isBulk, type Step } from '../plan/plan-posts.ts'
import type { AccountSet } from '../stack/open-account-sets.ts'
import type { MediaIds } from '../stack/upload-media.ts'
import type { Api, ApiAnswer } from './api.ts'
import { parsePost } from './api-post.ts'
import { addLogLine, type ExpectedPost } from './expected-post.ts'
import { fieldsOf, listOf, textOf } from './json.ts'

export type Client = { api: Api; accounts: AccountSet; mediaIds: MediaIds; beganMs: number; keyPrefix: string }

const pathOf: Record<PostKind, string> = {
  text: '/content/text',
  photo: '/content/photos',
  carousel: '/content/photos',
  video: '/content/video',
  document: '/content/document',
}

/** Acts as one client: creates the post and takes the planned steps with it, and waits each time until the answer is definite. */
export async function drivePost(client: Client, expected: ExpectedPost): Promise<Violation[]> {
  await sleepUntil(client.beganMs + expected.plan.atMs)
  const found = await create(client, expected)
  if (expected.requestId === null) return found
  for (const [at, step] of expected.plan.steps.entries()) {
    await sleepUntil(client.beganMs + step.atMs)
    found.push(...(await takeStep(client, expected, { ...step, key: `${client.keyPrefix}-${expected.plan.n}-${at}` })))
  }
  return found
}

async function create({ api, accounts, mediaIds, beganMs, keyPrefix }: Client, expected: ExpectedPost): Promise<Violation[]> {
  const { plan, text, thread, comment } = expected
  expected.connections = plan.slots.map((slot) => accounts.of(slot).slug)
  const nowMs = Date.now()
  const dueMs = plan.dueInMs === null ? null : nowMs + plan.dueInMs
  const medias = mediaIds[plan.kind]
  const body = {
    text,
    connections: expected.connections,
    ...(medias.length > 0 && { medias }),
    ...(thread.length > 0 && { thread: thread.map((each) => ({ text: each })) }),
    ...(comment !== null && { firstComment: comment }),
    ...(dueMs !== null && { scheduledAt: new Date(dueMs).toISOString() }),
    ...(plan.isDraft && { saveDraft: true }),
    ...(plan.isAsync && { async: true }),
  }
  const send = () => api({ method: 'POST', path: pathOf[plan.kind], body, key: `${keyPrefix}-${plan.n}` })
  const answers = await Promise.all(Array.from({ length: plan.parallelRequests }, send))
  for (const answer of answers) addLogLine(expected, beganMs, `create: ${describeAnswer(answer)}`)
  // A refusal gives no post. Of several requests with one key, one may be refused while an account is disconnected, and another accepted.
  const accepted = answers.filter(({ status }) => status < 300)
  const wrong = answers.find(
    (answer) => answer.status >= 300 && !(answer.status === 422 && (expected.canBeRefused || isTooLate(answer, dueMs))),
  )
  if (wrong) return [{ kind: 'refused', text, detail: `create was refused: ${JSON.stringify(wrong.body)}` }]
  if (accepted.length === 0) return []
  const ids = new Set(accepted.map(({ data }) => textOf(fieldsOf(data)['requestId']) ?? textOf(fieldsOf(data)['draftId'])))
  const [id] = ids
  expected.requestId = id ?? null
  Object.assign(expected, { earliestMs: dueMs ?? nowMs, acceptedMs: Date.now() })
  if (plan.isDraft) expected.intent = 'stopped'
  else if (dueMs === null) expected.requests.publish++
  else {
    expected.requests.schedule++
    expected.wasScheduled = Date.now() < dueMs
  }
  if (ids.size === 1) return []
  return [{ kind: 'doubled', text, detail: `one Idempotency-Key gave ${ids.size} posts: ${[...ids].join(', ')}` }]
}

/** Faults may hold a request for longer than the time until its post is due. Then it names a time in the past. */
function isTooLate({ body }: ApiAnswer, dueMs: number | null): boolean {
  return dueMs !== null && Date.now() > dueMs && JSON.stringify(body).includes('is in the past')
}

async function takeStep({ api, beganMs }: Client, expected: ExpectedPost, step: Step & { key: string }): Promise<Violation[]> {
  const { text, requests } = expected
  const path = `/content/${expected.requestId}`
  if (step.action === 'delete') return remove(api, expected, beganMs)
  if (step.action === 'reschedule' && isBulk(expected.plan)) return rescheduleInBulk({ api, beganMs }, expected, step)
  const verb = { reschedule: 'reschedule', unschedule: 'unschedule', publish: 'publish', publishNow: 'publish-now' }[step.action]
  const requestedMs = Date.now()
  const dueMs = step.action === 'reschedule' ? requestedMs + step.dueInMs : null
  const body = dueMs === null ? undefined : { scheduledAt: new Date(dueMs).toISOString() }
  const answer = await api({ method: 'POST', path: `${path}/${verb}`, key: step.key, ...(body && { body }) })
  addLogLine(expected, beganMs, `${verb}: ${describeAnswer(answer)}`)
  if (answer.status === 404) return [{ kind: 'missing', text, detail: `${verb} answered ${describeAnswer(answer)}` }]
  // 409 is a correct answer to a change of a post that is already being sent.
  if (answer.status === 409 || (answer.status === 422 && (expected.canBeRefused || isTooLate(answer, dueMs)))) return []
  if (answer.status !== 200) return [{ kind: 'refused', text, detail: `${verb} answered ${describeAnswer(answer)}` }]
  const { scheduledAtMs, status } = parsePost(answer.data)
  switch (step.action) {
    case 'unschedule':
      Object.assign(expected, { intent: 'stopped', stoppedAtMs: Date.now() })
      break
    case 'reschedule':
      requests.schedule++
      expected.earliestMs = scheduledAtMs ?? requestedMs
      break
    case 'publishNow':
      requests.publish++
      Object.assign(expected, { earliestMs: requestedMs, acceptedMs: Date.now() })
      break
    case 'publish': {
      const isInFuture = status === 'scheduled' && scheduledAtMs !== null
      if (isInFuture) requests.schedule++
      else requests.publish++
      const earliestMs = isInFuture ? scheduledAtMs : requestedMs
      Object.assign(expected, { intent: 'publish', stoppedAtMs: null, earliestMs, acceptedMs: Date.now() })
    }
  }
  return []
}

/** The same change by the request for many posts. What cannot be changed is named in the answer. */
async function rescheduleInBulk(
  { api, beganMs }: Pick<Client, 'api' | 'beganMs'>,
  expected: ExpectedPost,
  { dueInMs, key }: Step & { action: 'reschedule'; key: string },
): Promise<Violation[]> {
  const { text, requests, requestId } = expected
  const dueMs = Date.now() + dueInMs
  const body = { ids: [requestId], scheduledAt: new Date(dueMs).toISOString() }
  const answer = await api({ method: 'POST', path: '/content/bulk-reschedule', key, body })
  const { succeeded, failed } = fieldsOf(answer.data)
  const codes = listOf(failed).map((each) => textOf(fieldsOf(each)['code']))
  addLogLine(expected, beganMs, `bulk-reschedule: ${describeAnswer(answer)} ${codes.join(' ')}`)
  if (answer.status === 422 && (expected.canBeRefused || isTooLate(answer, dueMs))) return []
  if (answer.status !== 200) return [{ kind: 'refused', text, detail: `bulk-reschedule answered ${describeAnswer(answer)}` }]
  if (codes.includes('not_found')) return [{ kind: 'missing', text, detail: 'bulk-reschedule does not know it' }]
  if (succeeded !== 1) return []
  requests.schedule++
  expected.earliestMs = dueMs
  return []
}

async function remove(api: Api, expected: ExpectedPost, beganMs: number): Promise<Violation[]> {
  const answer = await api({ method: 'DELETE', path: `/content/${expected.requestId}` })
  addLogLine(expected, beganMs, `delete: ${describeAnswer(answer)}`)
  // If the first try deleted the post and only its answer was lost, the second try gets a 404.
  const isGone = answer.status === 200 || (answer.status === 404 && answer.tries > 1)
  if (!isGone) return [{ kind: 'missing', text: expected.text, detail: `delete answered ${describeAnswer(answer)}` }]
  Object.assign(expected, { intent: 'deleted', stoppedAtMs: Date.now() })
  return []
}

export function describeAnswer({ status, code, tries, isReplay }: ApiAnswer): string {
  return `${status}${code === null ? '' : ` ${code}`}${isReplay ? ' (replayed)' : ''} after ${tries} ${tries === 1 ? 'try' : 'tries'}`
}

export async function sleepUntil(timeMs: number): Promise<void> {
  const waitMs = timeMs - Date.now()
  if (waitMs > 0) await sleep(waitMs)
}
