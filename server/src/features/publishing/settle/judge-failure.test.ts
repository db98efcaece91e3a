import { PlatformError, type PlatformErrorKind } from '@carillon/connectors'
import { describe, expect, test } from 'vitest'
import { giveUpAfterMs, judgeFailure, type Attempt } from './judge-failure.ts'

const nowMs = 1_000_000_000
const attempt: Attempt = {
  tries: 1,
  refusals: 0,
  renewed: false,
  canRenew: true,
  dueAtMs: nowMs,
  nowMs,
  random: 0.5,
  isReply: false,
  started: true,
}
const error = (kind: PlatformErrorKind, retryAfterMs?: number) =>
  new PlatformError({ kind, platformCode: '42', message: 'words of the platform', retryAfterMs })

describe('what follows from an error of the platform', () => {
  test.each([
    ['rejected', { kind: 'failed', error: { code: 'content_rejected', message: 'words of the platform', platformCode: '42' } }],
    ['gone', { kind: 'failed', error: { code: 'account_gone' } }],
    ['unknown', { kind: 'unknown' }],
    ['auth', { kind: 'later', atMs: nowMs, renew: true, waiting: null }],
    ['limited', { kind: 'later', atMs: nowMs + 5_000, waiting: 'rate_limit' }],
    ['unavailable', { kind: 'later', atMs: nowMs + 5_000, waiting: 'platform_unavailable' }],
  ] as const)('%s', (kind, expected) => {
    expect(judgeFailure(error(kind), attempt)).toMatchObject(expected)
  })

  test('the platform’s own wait is kept', () => {
    expect(judgeFailure(error('limited', 60_000), attempt)).toMatchObject({ atMs: nowMs + 60_000 })
    expect(judgeFailure(error('limited', 0), attempt)).toMatchObject({ atMs: nowMs + 1_000 })
  })

  test('what a platform is still preparing is checked soon, and later less often', () => {
    const preparing = new PlatformError({ kind: 'unavailable', platformCode: null, message: '', waitsMs: [3_000, 7_000, 30_000] })
    const waits = [1, 2, 3, 99].map((tries) => judgeFailure(preparing, { ...attempt, tries }))
    expect(waits).toMatchObject([3_000, 7_000, 30_000, 30_000].map((waitMs) => ({ kind: 'later', atMs: nowMs + waitMs })))
  })

  test('waits grow and differ, so that a crowd does not return at once', () => {
    const waitOf = (tries: number, random: number) => {
      const result = judgeFailure(error('unavailable'), { ...attempt, tries, random })
      return result.kind === 'later' ? result.atMs - nowMs : 0
    }
    expect([1, 2, 3, 4, 5, 99].map((tries) => waitOf(tries, 0.5))).toEqual([5_000, 20_000, 60_000, 180_000, 600_000, 600_000])
    expect(waitOf(5, 0)).toBe(450_000)
    expect(waitOf(5, 0.999)).toBeGreaterThan(749_000)
  })
})

describe('what was staged', () => {
  const restaged = (failure: PlatformError, tries: number) => {
    const result = judgeFailure(failure, { ...attempt, tries })
    return result.kind === 'later' ? result.restage : result.kind
  }
  const temporary = new PlatformError({ kind: 'rejected', platformCode: null, message: 'not fetched', isTemporary: true })

  test('is made again after two attempts that failed without a reason, and not while the platform is busy with it', () => {
    expect([1, 2, 3].map((tries) => restaged(error('unavailable'), tries))).toEqual([false, true, true])
    expect(restaged(error('unavailable', 5_000), 3)).toBe(false)
    expect(restaged(error('limited'), 3)).toBe(false)
  })

  test('is kept while the platform is preparing it, however often it is checked', () => {
    const preparing = new PlatformError({
      kind: 'unavailable',
      platformCode: 'IN_PROGRESS',
      message: 'busy',
      waitsMs: [3_000, 30_000],
    })
    expect([1, 2, 3, 40].map((tries) => restaged(preparing, tries))).toEqual([false, false, false, false])
  })

  test('is made again if the platform refused it for a reason that may pass', () => {
    expect(restaged(temporary, 1)).toBe(true)
  })
})

describe('a refusal for a reason that may pass', () => {
  const temporary = new PlatformError({
    kind: 'rejected',
    platformCode: 'X',
    message: 'could not fetch the file',
    isTemporary: true,
  })

  test('waits as long as after as many refusals, also on a channel that was tried often because the platform was down', () => {
    const waits = [0, 1, 2, 3].map((refusals) => judgeFailure(temporary, { ...attempt, tries: 40 + refusals, refusals }))
    expect(waits).toMatchObject(
      [5_000, 20_000, 60_000, 180_000].map((waitMs) => ({ kind: 'later', atMs: nowMs + waitMs, isRefused: true })),
    )
  })

  test('is a failure the fifth time, which a person can retry', () => {
    const shown = { code: 'platform_unavailable', action: 'retry', retryable: true, message: 'could not fetch the file' }
    expect(judgeFailure(temporary, { ...attempt, tries: 5, refusals: 4 })).toMatchObject({ kind: 'failed', error: shown })
  })
})

describe('when it ends', () => {
  test('a day after the due time an outage is a failure that can be retried', () => {
    const late = { ...attempt, dueAtMs: nowMs - giveUpAfterMs }
    expect(judgeFailure(error('unavailable'), late)).toMatchObject({
      kind: 'failed',
      error: { code: 'platform_unavailable', retryable: true },
    })
  })

  test('a token that was renewed and refused again, or cannot be renewed, waits for the person', () => {
    for (const each of [{ renewed: true }, { canRenew: false }])
      expect(judgeFailure(error('auth'), { ...attempt, ...each })).toMatchObject({
        kind: 'later',
        waiting: 'reconnect',
        renew: false,
      })
    expect(judgeFailure(error('auth'), { ...attempt, canRenew: false, dueAtMs: nowMs - giveUpAfterMs })).toMatchObject({
      kind: 'failed',
      error: { code: 'reconnect_needed' },
    })
  })
})

test('guarantee: a refusal as a duplicate is a question about an earlier attempt', () => {
  const existing = { postId: '7', postUrl: null }
  const refused = new PlatformError({ kind: 'rejected', platformCode: '42', message: 'twice', isDuplicate: true, existing })
  const shown = { code: 'content_rejected', message: 'twice' }
  expect(judgeFailure(refused, attempt)).toMatchObject({ kind: 'unknown', refusal: { error: shown, existing } })
})

test('guarantee: an error of our own before the first byte is tried again and then a failure, after it a doubt', () => {
  const judge = (own: unknown, tries: number, dueAtMs = nowMs) =>
    judgeFailure(own, { ...attempt, started: false, tries, dueAtMs })
  const failed = { kind: 'failed', error: { code: 'publish_failed' } }
  expect(judge(new TypeError('ours'), 1)).toMatchObject({ kind: 'later', atMs: nowMs + 5_000 })
  expect(judge(new TypeError('ours'), 3)).toMatchObject(failed)
  const away = [
    Object.assign(new Error('terminated'), { code: '57P01' }),
    new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
  ]
  for (const trouble of away) {
    expect(judge(trouble, 100)).toMatchObject({ kind: 'later', error: { reason: 'own_trouble' } })
    expect(judge(trouble, 100, nowMs - giveUpAfterMs)).toMatchObject(failed)
  }
  expect(judgeFailure(new TypeError('ours'), { ...attempt, started: true })).toEqual({ kind: 'unknown' })
})

test('a post that is gone is no account that is gone: the answer to it is refused', () => {
  const gone = new PlatformError({ kind: 'gone', platformCode: '404', message: 'No such post' })
  expect(judgeFailure(gone, attempt)).toMatchObject({ kind: 'failed', error: { code: 'account_gone' } })
  expect(judgeFailure(gone, { ...attempt, isReply: true })).toMatchObject({ kind: 'failed', error: { code: 'content_rejected' } })
})
