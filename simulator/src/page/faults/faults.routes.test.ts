import { expect, test } from 'vitest'
import { startTestSimulator, valueAt } from '../../../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'

test('a fault that is switched on by hand fails the next call of that account only, and is listed until it is switched off', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('mastodon')
  const bob = await simulator.openAccount('mastodon', 'bob')
  const form = {
    platform: 'mastodon',
    handle: 'alice',
    operation: 'submit',
    times: '1',
    skip: '',
    kind: 'rate_limit',
    'rate_limit.seconds': '7',
  }
  const added = await simulator.request('/faults', { form })
  expect([added.status, added.headers.get('location')]).toEqual([303, '/faults'])
  expect((await simulator.request(statuses, { token: bob.token, json: { status: 'from bob' } })).status).toBe(200)
  const refused = await simulator.request(statuses, { token: alice.token, json: { status: 'from alice' } })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await simulator.request(statuses, { token: alice.token, json: { status: 'again' } })).status).toBe(200)

  const { text } = await simulator.request('/faults')
  expect(text).toContain('Answered with 429, wait 7 seconds')
  expect(text).toContain('Mastodon · alice · Publishing')
  expect(text).toContain('For one call; applied once so far')
  expect(text).toContain('>Over<')
  const rules = (await simulator.request('/_control/faults')).body
  expect(valueAt(rules, 'faults', 0)).toMatchObject({ handle: 'alice', times: 1, hits: 1 })
  await simulator.request(`/faults/${String(valueAt(rules, 'faults', 0, 'id'))}/remove`, { method: 'POST' })
  expect((await simulator.request('/faults')).text).toContain('No fault is active')
})

test.each([
  ['status', { 'status.status': '503', 'status.commit': 'on' }, { kind: 'status', status: 503, commit: true }],
  ['status', { 'status.status': '422' }, { kind: 'status', status: 422, commit: false }],
  ['drop_before', {}, { kind: 'drop_before' }],
  ['drop_after', {}, { kind: 'drop_after' }],
  ['hang', {}, { kind: 'hang', commit: false }],
  ['delay', { 'delay.seconds': '2' }, { kind: 'delay', ms: 2000, when: 'after' }],
  ['expired_token', {}, { kind: 'expired_token' }],
  ['garbage', { 'garbage.commit': 'on' }, { kind: 'garbage', commit: true }],
  ['malformed', {}, { kind: 'malformed' }],
  ['slow_body', { 'slow_body.bytes': '5' }, { kind: 'slow_body', bytesPerSecond: 5 }],
  ['huge_body', { 'huge_body.megabytes': '3' }, { kind: 'huge_body', bytes: 3_000_000 }],
  ['outage', { 'outage.minutes': '2' }, { kind: 'outage', clock: 'real' }],
])('the form of %s sets the same fault as the control interface', async (kind, fields, fault) => {
  await using simulator = await startTestSimulator()
  expect((await simulator.request('/faults', { form: { kind, operation: 'any', ...fields } })).status).toBe(303)
  const { body } = await simulator.request('/_control/faults')
  expect(valueAt(body, 'faults', 0, 'fault')).toMatchObject(fault)
  expect((await simulator.request('/')).text).toContain('<span class="count">1')
})

test.each([
  ['an unknown account', { kind: 'hang', handle: 'nobody' }, 'There is no account &quot;nobody&quot; on any platform.'],
  ['no kind', { operation: 'submit' }, 'Choose what happens.'],
  ['a count of zero', { kind: 'hang', times: '0' }, 'must be a whole number of at least 1'],
  ['a value out of range', { kind: 'delay', 'delay.seconds': '9999' }, 'must be 1 to 600 seconds'],
  ['a missing value', { kind: 'slow_body', 'slow_body.bytes': '' }, 'are not complete'],
  ['an unknown platform', { kind: 'hang', platform: 'nowhere' }, 'platform must be one of'],
])('a form with %s sets no fault and says why', async (_, form, message) => {
  await using simulator = await startTestSimulator()
  const { status, text } = await simulator.request('/faults', { form })
  expect(status).toBe(400)
  expect(text).toContain(message)
  expect((await simulator.request('/_control/faults')).body).toEqual({ faults: [] })
})

test('a page of another site cannot switch faults', async () => {
  await using simulator = await startTestSimulator()
  await simulator.fault({ operation: 'submit' }, { kind: 'hang' })
  const headers = { 'sec-fetch-site': 'cross-site' }
  for (const [path, form] of [
    ['/faults', { kind: 'hang' }],
    ['/faults/remove', {}],
    ['/faults/fault-1/remove', {}],
  ] as const)
    expect((await simulator.request(path, { method: 'POST', form, headers })).status).toBe(400)
  expect(valueAt((await simulator.request('/_control/faults')).body, 'faults')).toHaveLength(1)
  await simulator.request('/faults/remove', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
  expect((await simulator.request('/_control/faults')).body).toEqual({ faults: [] })
})
