import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, ApiAnswer } from './api.ts'
import { fieldsOf, textOf } from './json.ts'
import type { Step } from './plan.ts'
import { parsePost } from './api-post.ts'
import { addLogLine, type ExpectedPost } from './expected-post.ts'
import type { Violation } from './violation.ts'

type Client = { api: Api; beganMs: number; keyPrefix: string }

/** Acts as one client: creates the post and takes the planned steps with it, and waits each time until the answer is definite. */
export async function drivePost(client: Client, expected: ExpectedPost): Promise<Violation[]> {
  await sleepUntil(client.beganMs + expected.plan.atMs)
  const refused = await create(client, expected)
  if (refused) return [refused]
  const found: Violation[] = []
  for (const [at, step] of expected.plan.steps.entries()) {
    await sleepUntil(client.beganMs + step.atMs)
    found.push(...(await doStep(client, expected, { ...step, key: `${client.keyPrefix}-${expected.plan.n}-${at}` })))
  }
  return found
}

async function create({ api, beganMs, keyPrefix }: Client, expected: ExpectedPost): Promise<Violation | null> {
  const { plan, text, comment, connections } = expected
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
  const send = () => api({ method: 'POST', path: '/content/text', body, key: `${keyPrefix}-${plan.n}` })
  const answers = await Promise.all(Array.from({ length: plan.parallelRequests }, send))
  for (const answer of answers) addLogLine(expected, beganMs, `create: ${describeAnswer(answer)}`)
  const ids = new Set(answers.map(({ data }) => textOf(fieldsOf(data)['requestId']) ?? textOf(fieldsOf(data)['draftId'])))
  const [first] = answers
  if (!first || first.status >= 300)
    return { kind: 'refused', text, detail: `create was refused: ${JSON.stringify(first?.body)}` }
  const [id] = ids
  expected.requestId = id ?? null
  expected.earliestMs = dueMs ?? nowMs
  if (plan.isDraft) expected.intent = 'stopped'
  if (ids.size === 1) return null
  return { kind: 'doubled', text, detail: `one Idempotency-Key gave ${ids.size} posts: ${[...ids].join(', ')}` }
}

async function doStep({ api, beganMs }: Client, expected: ExpectedPost, step: Step & { key: string }): Promise<Violation[]> {
  const { text } = expected
  const path = `/content/${expected.requestId}`
  if (step.action === 'delete') {
    const answer = await api({ method: 'DELETE', path })
    addLogLine(expected, beganMs, `delete: ${describeAnswer(answer)}`)
    // If the first try deleted the post and only its answer was lost, the second try gets a 404.
    const isGone = answer.status === 200 || (answer.status === 404 && answer.tries > 1)
    if (!isGone) return [{ kind: 'missing', text, detail: `delete answered ${describeAnswer(answer)}` }]
    Object.assign(expected, { intent: 'deleted', stoppedAtMs: Date.now() })
    return []
  }
  const verb = { reschedule: 'reschedule', unschedule: 'unschedule', publish: 'publish', publishNow: 'publish-now' }[step.action]
  const body = step.action === 'reschedule' ? { scheduledAt: new Date(Date.now() + step.dueInMs).toISOString() } : undefined
  const requestedMs = Date.now()
  const answer = await api({ method: 'POST', path: `${path}/${verb}`, key: step.key, ...(body && { body }) })
  addLogLine(expected, beganMs, `${verb}: ${describeAnswer(answer)}`)
  if (answer.status === 404) return [{ kind: 'missing', text, detail: `${verb} answered ${describeAnswer(answer)}` }]
  // 409 is a correct answer to a change of a post that is already being sent.
  if (answer.status === 409) return []
  if (answer.status !== 200) return [{ kind: 'refused', text, detail: `${verb} answered ${describeAnswer(answer)}` }]
  const { scheduledAtMs, status } = parsePost(answer.data)
  if (step.action === 'unschedule') Object.assign(expected, { intent: 'stopped', stoppedAtMs: Date.now() })
  if (step.action === 'reschedule') expected.earliestMs = scheduledAtMs ?? requestedMs
  if (step.action === 'publishNow') expected.earliestMs = requestedMs
  if (step.action === 'publish') {
    const isInFuture = status === 'scheduled' && scheduledAtMs !== null
    Object.assign(expected, { intent: 'publish', stoppedAtMs: null, earliestMs: isInFuture ? scheduledAtMs : requestedMs })
  }
  return []
}

function describeAnswer({ status, code, tries, isReplay }: ApiAnswer): string {
  return `${status}${code === null ? '' : ` ${code}`}${isReplay ? ' (replayed)' : ''} after ${tries} ${tries === 1 ? 'try' : 'tries'}`
}

async function sleepUntil(timeMs: number): Promise<void> {
  const waitMs = timeMs - Date.now()
  if (waitMs > 0) await sleep(waitMs)
}
