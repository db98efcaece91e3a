import { describe, expect, test } from 'vitest'
import { parseAllow } from './address.ts'
import { blockedHosts } from './blocked-hosts.fixture.ts'
import { checkSavedUrl } from './egress.ts'
import { checkUrl } from './guard-url.ts'

const closed = parseAllow('')
const opened = parseAllow('127.0.0.0/8')
const verdict = (raw: string, { https = true, allow = closed } = {}) => {
  const found = checkUrl(raw, { https, allow })
  return found.ok ? found.url.href : found.code
}

describe('a URL a user may choose', () => {
  test.each([
    ['https://example.com/hook?a=b', 'https://example.com/hook?a=b'],
    ['https://EXAMPLE.com:8443', 'https://example.com:8443/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('%s', (raw, href) => {
    expect(verdict(raw)).toBe(href)
  })
  test('plain HTTP only where it is not forbidden', () => {
    expect(verdict('http://example.com/', { https: false })).toBe('http://example.com/')
    expect(verdict('http://example.com/')).toBe('bad_url')
    expect(verdict('http://127.0.0.1/', { allow: opened })).toBe('bad_url')
  })
})

describe('refused for its form', () => {
  test.each([
    '',
    'here',
    '//example.com',
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://ok@127.0.0.1',
    'https://[example.com]',
    'https://[fe80::1%eth0]/',
    'https://example.com:22/',
    'https://example.com:5432/',
    'https://example.com:6379/',
    'https://example.com:80/',
    'https://1.1.1.1:6379/',
    'https://example.com./',
    'https://localhost./',
    `https://example.com/${'a'.repeat(9000)}`,
  ])('%s', (raw) => {
    expect(verdict(raw)).toBe('bad_url')
  })
})

describe('refused for where it leads', () => {
  test.each(blockedHosts)('%s', (host) => {
    expect(verdict(`https://${host}/`)).toBe('blocked_address')
  })
})

describe('with 127.0.0.0/8 opened', () => {
  test('its addresses and localhost pass on any port, its neighbours do not', () => {
    expect(verdict('http://127.0.0.1:4000/', { https: false, allow: opened })).toBe('http://127.0.0.1:4000/')
    expect(verdict('https://127.0.0.1:4000/', { allow: opened })).toBe('https://127.0.0.1:4000/')
    expect(verdict('http://localhost:4000/', { https: false, allow: opened })).toBe('http://localhost:4000/')
    expect(verdict('https://10.0.0.1/', { allow: opened })).toBe('blocked_address')
    expect(verdict('https://[::1]/', { allow: opened })).toBe('blocked_address')
    expect(verdict('https://metadata.google.internal/', { allow: opened })).toBe('blocked_address')
    expect(verdict('https://1.1.1.1:4000/', { allow: opened })).toBe('bad_url')
  })
})

describe('when a URL is saved', () => {
  const save = async (answers: readonly string[] | Error, { raw = 'https://example.com/', allow = closed } = {}) => {
    const lookup = async () => {
      if (answers instanceof Error) throw answers
      return answers
    }
    const found = await checkSavedUrl(raw, { https: true, allow, lookup })
    return found.ok ? 'ok' : found.code
  }

  test('all answers of the name server must be public', async () => {
    expect(await save(['93.184.216.34', '2606:4700::1111'])).toBe('ok')
    expect(await save(['93.184.216.34', '127.0.0.1'])).toBe('blocked_address')
    expect(await save(['93.184.216.34', '::1'])).toBe('blocked_address')
    expect(await save(['169.254.169.254'])).toBe('blocked_address')
    expect(await save(['not an address'])).toBe('blocked_address')
  })

  test('a name without an answer is accepted for now', async () => {
    expect(await save(new Error('ENOTFOUND'))).toBe('ok')
    expect(await save([])).toBe('ok')
  })

  test('an unusual port passes only when every answer is in an opened network', async () => {
    const raw = 'https://receiver:4000/'
    expect(await save(['127.0.0.1'], { raw, allow: opened })).toBe('ok')
    expect(await save(['127.0.0.1', '1.1.1.1'], { raw, allow: opened })).toBe('bad_url')
    expect(await save(['1.1.1.1'], { raw, allow: opened })).toBe('bad_url')
    expect(await save(['127.0.0.1'], { raw })).toBe('bad_url')
  })
})
