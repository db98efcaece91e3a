import type { Static } from 'typebox'
import type { Client, Draft, Outcome, ServerCheck, ServerTest } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { publish, readFigures, readOutcome, readResult, removePost } from './calls.ts'
import { readDeclaration, recognisesKeys } from './declaration.ts'
import { isUnknownKey } from './errors.ts'
import { manifest } from './manifest.ts'
import type { Declaration } from './wire.ts'

type Sender = Pick<Client, 'http' | 'credentials'>
type Verdict = { state: ServerCheck['state']; said: string }
type Check = { name: string; run: (trial: Trial) => Promise<Verdict> }

/** What the checks share: who sends, what the receiver declared, and the posts that exist by now. */
type Trial = {
  sender: Sender
  declared: Static<typeof Declaration>
  test: ServerTest
  first: { key: string; postId: string }
  made: Set<string>
}

const text = 'Carillon test: Grüße, 🔔 and "quotes" <b>&amp;</b>\nsecond line'
const alt = 'Carillon test: a grey square – ü'
const oldMs = 600_000
const asksMax = 30

const held = (said = ''): Verdict => ({ state: 'held', said })
const failed = (said: string): Verdict => ({ state: 'failed', said })
const untold = (said: string): Verdict => ({ state: 'untold', said })

/** Sends test posts to a receiver, says what it keeps of docs/guides/own-platform.md, and removes the posts again if it can. */
export async function* tryReceiver(http: Http, test: ServerTest): AsyncGenerator<ServerCheck> {
  const sender = { http, credentials: { accessToken: test.secret } }
  const trial: Trial = {
    sender,
    declared: { carillon: 1 },
    test,
    first: { key: test.newKey(), postId: '' },
    made: new Set(),
  }
  for (const { name, run } of checks) {
    const verdict = await run(trial).catch((error: unknown) => failed(reasonOf(error)))
    yield { name, ...verdict }
    // Without these two, nothing else can be told.
    if (verdict.state === 'failed' && (run === declares || run === publishes)) return
  }
}

async function declares(trial: Trial): Promise<Verdict> {
  trial.declared = await readDeclaration(trial.sender.http, trial.test.secret)
  const { name } = trial.declared
  return held(typeof name === 'string' ? `It calls itself "${name}".` : 'It has no name; its address is shown instead.')
}

async function publishes(trial: Trial): Promise<Verdict> {
  const outcome = await settle(trial.sender, await publish(trial.sender, draftOf(), trial.first.key), trial.first.key)
  if (outcome.state !== 'published') return failed('It accepted the post with 202 and did not finish it in time.')
  trial.first.postId = outcome.postId
  trial.made.add(outcome.postId)
  return held(outcome.postUrl === null ? 'There is no postUrl, so nobody can open the post from Carillon.' : outcome.postUrl)
}

const checks: readonly Check[] = [
  { name: 'GET answers with a declaration', run: declares },
  {
    name: 'a wrong signature is refused',
    run: (trial) => expectRefusal(trial, { ...trial.sender, credentials: { accessToken: `${trial.test.secret}-wrong` } }),
  },
  { name: 'an old timestamp is refused', run: (trial) => expectRefusal(trial, shifted(trial.sender, -oldMs)) },
  { name: 'a timestamp of the future is refused', run: (trial) => expectRefusal(trial, shifted(trial.sender, oldMs)) },
  { name: 'a body that was changed on its way is refused', run: (trial) => expectRefusal(trial, changing(trial.sender)) },
  { name: 'a text is published', run: publishes },
  {
    name: 'a repeated key is answered with the same post',
    run: withKeys(async ({ sender, first, made }) => {
      const again = await settle(sender, await publish(sender, draftOf(), first.key), first.key)
      const postId = again.state === 'published' ? again.postId : ''
      if (postId === first.postId) return held()
      if (postId !== '') made.add(postId)
      return failed('The same key made a second post. A lost answer would publish twice.')
    }),
  },
  {
    name: 'one key in two requests at once makes one post',
    run: withKeys(async ({ sender, test, made }) => {
      const key = test.newKey()
      const send = async () => settle(sender, await publish(sender, draftOf(), key), key)
      const ids = new Set((await Promise.all([send(), send()])).map((one) => (one.state === 'published' ? one.postId : '')))
      for (const id of ids) made.add(id)
      return ids.size === 1 && !ids.has('') ? held() : failed('Remember the key before you publish, not after.')
    }),
  },
  {
    name: 'a post is found by its key',
    run: withKeys(async ({ sender, first }) => {
      const outcome = await readOutcome(sender, first.key)
      const isSame = outcome.state === 'published' && outcome.postId === first.postId
      return isSame ? held() : failed('GET with ?key= does not name the post that the key made.')
    }),
  },
  {
    name: 'a key that was never sent is not known',
    run: withKeys(async ({ sender, test }) => {
      const answer = await readOutcome(sender, test.newKey()).catch((error: unknown) => error)
      return isUnknownKey(answer)
        ? held()
        : failed('Answer 404 with {"code": "unknown_key"}; nothing else says that there is no post.')
    }),
  },
  {
    name: 'the text arrives unchanged',
    run: async ({ sender, first }) => {
      const received = await readReceived(sender, first.key)
      if (!received) return untold('The answer to ?key= has no "received", so this cannot be seen from here.')
      return received.text === text ? held() : failed(`It has ${JSON.stringify(received.text)}.`)
    },
  },
  { name: 'a file arrives with its alt text', run: sendsFile },
  {
    name: 'a text beyond the declared limit is refused',
    run: async (trial) => {
      const { max } = Object(trial.declared.text ?? {}) as { max?: unknown }
      if (typeof max !== 'number' || max >= manifest.text.max) return untold('It declares no limit.')
      return expectRefusal(trial, trial.sender, { text: 'a'.repeat(max + 1) })
    },
  },
  {
    name: 'an answer to a post is published',
    run: async ({ sender, declared, test, first, made }) => {
      if (declared.replies !== true)
        return untold('It does not declare replies: posts have no first comment and no thread there.')
      const key = test.newKey()
      const outcome = await settle(sender, await publish(sender, draftOf({ replyTo: { postId: first.postId } }), key), key)
      if (outcome.state === 'published') made.add(outcome.postId)
      return outcome.state === 'published' ? held() : failed('It did not finish it in time.')
    },
  },
  {
    name: 'figures are told',
    run: async ({ sender, first }) => {
      const figures = (await readFigures(sender, [first.postId])).get(first.postId)
      return figures ? held(Object.keys(figures).join(', ')) : untold('It tells none.')
    },
  },
  {
    name: 'posts are removed',
    run: async ({ sender, made }) => {
      for (const postId of [...made].filter(Boolean)) {
        try {
          await removePost(sender, postId)
        } catch (error) {
          if (error instanceof PlatformError && error.kind === 'rejected')
            return untold('It cannot remove posts. Remove those of this test by hand.')
          throw error
        }
      }
      return held('Those of this test are gone.')
    },
  },
]

/** A receiver without keys is allowed, and its posts are unconfirmed after a lost answer. */
function withKeys(run: Check['run']): Check['run'] {
  return async (trial) =>
    recognisesKeys(trial.declared)
      ? run(trial)
      : untold('It does not declare "keys": true. After a lost answer, a person has to look.')
}

async function expectRefusal({ test, made }: Trial, sender: Sender, draft: Partial<Draft> = {}): Promise<Verdict> {
  const answer = await publish(sender, draftOf(draft), test.newKey()).catch((error: unknown) => error)
  if (answer instanceof PlatformError && (answer.kind === 'auth' || answer.kind === 'rejected')) return held()
  if (answer instanceof PlatformError) return failed(`It neither published nor refused: ${answer.message}`)
  const { postId = '' } = answer as { postId?: string }
  made.add(postId)
  return failed('It took the post all the same.')
}

async function sendsFile({ sender, test, made }: Trial): Promise<Verdict> {
  if (test.file === null) return untold('The receiver cannot reach this machine; see --own-address.')
  const key = test.newKey()
  const draft = draftOf({ format: 'photo', media: [{ ...test.file, alt }] })
  const outcome = await settle(sender, await publish(sender, draft, key), key)
  if (outcome.state !== 'published') return failed('It did not finish it in time.')
  made.add(outcome.postId)
  const received = await readReceived(sender, key)
  if (!received) return untold('It was accepted. The answer to ?key= has no "received", so the rest cannot be seen from here.')
  const [file] = Array.isArray(received.media) ? received.media.map((each) => Object(each) as Record<string, unknown>) : []
  if (file?.['alt'] !== alt) return failed(`The alt text is ${JSON.stringify(file?.['alt'])}.`)
  return file['sizeBytes'] === test.file.sizeBytes
    ? held()
    : failed(`Of ${test.file.sizeBytes} bytes it has ${String(file['sizeBytes'])}.`)
}

async function readReceived(sender: Sender, key: string): Promise<{ text?: unknown; media?: unknown } | null> {
  const result = await readResult(sender, key).catch(() => null)
  const received = result?.body?.received
  return typeof received === 'object' && received !== null ? received : null
}

/** Asks until a post that was accepted is published. */
async function settle(sender: Sender, first: Outcome, key: string): Promise<Outcome> {
  let outcome = first
  for (let asked = 0; outcome.state === 'processing' && asked < asksMax; asked++) {
    await sender.http.wait(Math.min(outcome.checkAfterMs, 5_000))
    outcome = await readOutcome(sender, key)
  }
  return outcome
}

function draftOf(draft: Partial<Draft> = {}): Draft {
  return { format: 'text', text, title: null, linkUrl: null, media: [], settings: {}, replyTo: null, ...draft }
}

function shifted({ http, credentials }: Sender, byMs: number): Sender {
  return { credentials, http: { ...http, nowMs: () => http.nowMs() + byMs } }
}

/** Adds a space to the signed body. */
function changing({ http, credentials }: Sender): Sender {
  const exchange: Http['exchange'] = (call) => {
    const body = call.bytes?.body
    if (!(body instanceof Uint8Array) || !call.bytes) return http.exchange(call)
    return http.exchange({ ...call, bytes: { ...call.bytes, body: new Uint8Array([...body, 0x20]) } })
  }
  return { credentials, http: { ...http, exchange } }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PlatformError)) throw error
  return error.platformMessage === null ? error.message : `${error.message} (${error.platformMessage})`
}
