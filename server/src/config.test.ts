import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, readRouterConfig } from './config.ts'
import { describeSettings } from './config/describe-settings.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const required = { DATABASE_URL: 'postgres://carillon@127.0.0.1/carillon', CARILLON_SECRET_KEYS: `k1:${key}` }
const s3 = { CARILLON_S3_BUCKET: 'media', CARILLON_S3_ACCESS_KEY: 'a', CARILLON_S3_SECRET_KEY: 's' }
const ai = { CARILLON_AI_URL: 'http://127.0.0.1:11434/v1', CARILLON_AI_MODEL: 'llama3.2' }
const oidc = { CARILLON_OIDC_ISSUER: 'https://id.example', CARILLON_OIDC_CLIENT_ID: 'c', CARILLON_OIDC_CLIENT_SECRET: 's' }

function read(env: Record<string, string> = {}) {
  return readConfig({ ...required, ...env }, () => {})
}

/** The lines of the error, without the title. */
function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env, () => {})
  } catch (error) {
    return String(error)
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^- /, ''))
  }
  return []
}

test('the operator has a name, and a contact that is a mail or web address', () => {
  expect(read().operator).toEqual({ name: 'Carillon', contact: null, logoUrl: null })
  const given = {
    CARILLON_OPERATOR_NAME: ' Tower Media ',
    CARILLON_OPERATOR_CONTACT: 'help@tower.example',
    CARILLON_OPERATOR_LOGO_URL: 'https://tower.example/logo.svg',
  }
  expect(read(given).operator).toEqual({
    name: 'Tower Media',
    contact: 'help@tower.example',
    logoUrl: 'https://tower.example/logo.svg',
  })
  expect(read({ CARILLON_OPERATOR_CONTACT: 'https://tower.example/help' }).operator.contact).toBe('https://tower.example/help')
  expect(
    problemsOf({ ...required, CARILLON_OPERATOR_CONTACT: 'javascript:alert(1)', CARILLON_OPERATOR_LOGO_URL: 'logo.svg' }),
  ).toEqual([
    expect.stringContaining('CARILLON_OPERATOR_CONTACT must be a mail address or a web address'),
    expect.stringContaining('CARILLON_OPERATOR_LOGO_URL must be a web address'),
  ])
})

test('files for the root of the site have plain names and short texts', () => {
  expect(read().siteFiles).toEqual({})
  const files = {
    'tiktokAb1.txt': 'tiktok-developers-site-verification=Ab1',
    'google1f.html': 'google-site-verification: google1f.html',
  }
  expect(read({ CARILLON_SITE_FILES: JSON.stringify(files) }).siteFiles).toEqual(files)
  for (const name of [
    'index.html',
    'Index.HTML',
    '../a.txt',
    'a/b.txt',
    '.env.txt',
    'a.js',
    'a',
    'a.txt.',
    '*.txt',
    ':a.txt',
    `${'a'.repeat(101)}.txt`,
  ])
    expect([name, problemsOf({ ...required, CARILLON_SITE_FILES: JSON.stringify({ [name]: 'x' }) })]).toEqual([
      name,
      [expect.stringContaining(`CARILLON_SITE_FILES cannot have a file named "${name}"`)],
    ])
  expect(problemsOf({ ...required, CARILLON_SITE_FILES: JSON.stringify({ 'a.txt': 'x'.repeat(10_001) }) })).toEqual([
    expect.stringContaining('CARILLON_SITE_FILES has a text of more than 10,000 characters'),
  ])
})

describe('defaults', () => {
  test('a server needs only a database and a key', () => {
    expect(read()).toMatchObject({
      databaseUrl: required.DATABASE_URL,
      secretKeys: { sealing: 'k1', keys: new Map([['k1', Buffer.alloc(32, 7)]]) },
      restateIngressUrl: 'http://127.0.0.1:8080',
      restateAdminUrl: 'http://127.0.0.1:9070',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      workerPort: 9080,
      workerUrl: 'http://127.0.0.1:9080',
      apps: {},
      vettedApps: [],
      neutralCallbacks: [],
      sandboxes: [],
      platformOrigins: {},
      media: {
        dir: resolve('./data/media'),
        sizeBytesMax: 2_147_483_648,
        urlSeconds: 3600,
        pullSeconds: 86_400,
        filesUrl: 'http://127.0.0.1:3000',
        s3: null,
      },
      signUp: 'closed',
      oidc: null,
      mail: null,
      ai: null,
      egressAllow: [],
      trustedProxies: [],
      plan: 'business',
      planChanges: 'owner',
      quotas: { workspaces: 250, webhooks: 100, invitations: 100, mailsPerDay: 200, mailsPerAddress: 3 },
      requestsPerMinute: 6000,
      accountMailsPerHour: 1000,
      logLevel: 'info',
    })
  })

  test('an address follows the settings it is made of', () => {
    const { publicUrl, workerUrl, media } = read({ CARILLON_HOST: '10.0.0.2', CARILLON_PORT: '80', CARILLON_WORKER_PORT: '81' })
    expect([publicUrl, workerUrl, media.filesUrl]).toEqual(['http://10.0.0.2:80', 'http://127.0.0.1:81', 'http://10.0.0.2:80'])
    expect(read({ CARILLON_PUBLIC_URL: 'https://carillon.example/' }).media.filesUrl).toBe('https://carillon.example')
  })

  test('an optional part has its own defaults', () => {
    expect(read(s3).media.s3).toEqual({
      bucket: 'media',
      accessKey: 'a',
      secretKey: 's',
      endpoint: null,
      publicEndpoint: null,
      region: 'us-east-1',
      pathStyle: true,
    })
    expect(read(ai).ai).toEqual({
      url: ai.CARILLON_AI_URL,
      model: 'llama3.2',
      key: null,
      json: 'schema',
      timeoutMs: 20_000,
      monthlyTokens: null,
      dailyTokensPerPerson: 200_000,
      dailyTokens: 5_000_000,
    })
    expect(read(oidc).oidc).toMatchObject({ issuer: 'https://id.example', name: 'Single sign-on', trustEmail: false })
    const mail = { CARILLON_SMTP_URL: 'smtp://mail.example', CARILLON_MAIL_FROM: 'carillon@mail.example' }
    expect(read(mail).mail).toEqual({ smtpUrl: 'smtp://mail.example', from: 'carillon@mail.example' })
  })
})

describe('values', () => {
  test('a list ignores spaces and empty entries', () => {
    expect(read({ CARILLON_EGRESS_ALLOW: '10.0.0.0/8, ,192.168.0.0/16,' }).egressAllow).toEqual(['10.0.0.0/8', '192.168.0.0/16'])
  })

  test('every platform may have a developer app', () => {
    const env = { CARILLON_APP_LINKEDIN: 'id:secret', CARILLON_PLATFORM_ORIGINS: '{"x":"http://x","linkedin":"http://l"}' }
    const { apps, platformOrigins } = read(env)
    expect(platformOrigins).toEqual({ x: 'http://x', linkedin: 'http://l' })
    expect(apps).toEqual({ linkedin: { clientId: 'id', clientSecret: 'secret' } })
  })

  test('the secret of a developer app may contain colons', () => {
    const { apps } = read({ CARILLON_APP_X: 'id:a:b:', CARILLON_APP_TIKTOK: 'id' })
    expect(apps).toEqual({ x: { clientId: 'id', clientSecret: 'a:b:' }, tiktok: { clientId: 'id', clientSecret: '' } })
  })

  test('a quota of 0 is no limit', () => {
    expect(read({ CARILLON_QUOTA_WEBHOOKS: '0' }).quotas.webhooks).toBe(Infinity)
  })

  test('the settings of a part that is switched off are not read', () => {
    expect(read({ CARILLON_AI_TIMEOUT_MS: 'soon', CARILLON_S3_PATH_STYLE: 'maybe', CARILLON_AI_URL: '' }).ai).toBeNull()
  })
})

describe('the addresses of the database', () => {
  const logins = { CARILLON_DATABASE_APP_URL: 'postgres://a@db/c', CARILLON_DATABASE_SYSTEM_URL: 'postgres://s@db/c' }

  test('the owner is not needed if both logins are given', () => {
    const { databaseUrl, database } = read({ DATABASE_URL: '', ...logins })
    expect([databaseUrl, database.appUrl, database.systemUrl]).toEqual([null, 'postgres://a@db/c', 'postgres://s@db/c'])
  })

  test('it is needed if one of them is missing', () => {
    expect(problemsOf({ ...required, ...logins, DATABASE_URL: '', CARILLON_DATABASE_APP_URL: '' })).toHaveLength(1)
  })
})

describe('refusals', () => {
  const refused: [Record<string, string>, string][] = [
    [
      { DATABASE_URL: '' },
      'DATABASE_URL is not set. For example: DATABASE_URL=postgres://carillon:password@127.0.0.1:5432/carillon',
    ],
    [{ CARILLON_SECRET_KEYS: '' }, 'CARILLON_SECRET_KEYS is not set.'],
    [{ CARILLON_SECRET_KEYS: 'k1:c2hvcnQ=' }, 'CARILLON_SECRET_KEYS must be id:base64 pairs of 32-byte keys'],
    [{ RESTATE_IDENTITY_KEYS: 'a,b' }, 'RESTATE_IDENTITY_KEYS must be public keys such as publickeyv1_…, not "a".'],
    [{ CARILLON_PORT: 'x' }, 'CARILLON_PORT must be a whole number of 0 or more, not "x". For example: CARILLON_PORT=3000'],
    [{ CARILLON_WORKER_PORT: '-1' }, 'CARILLON_WORKER_PORT must be a whole number of 0 or more, not "-1".'],
    [{ CARILLON_REQUESTS_PER_MINUTE: '1.5' }, 'CARILLON_REQUESTS_PER_MINUTE must be a whole number of 0 or more, not "1.5".'],
    [{ CARILLON_MEDIA_BYTES_MAX: '2GB' }, 'CARILLON_MEDIA_BYTES_MAX must be a whole number of 0 or more, not "2GB".'],
    [{ CARILLON_MEDIA_URL_SECONDS: '0' }, 'CARILLON_MEDIA_URL_SECONDS must be a whole number from 1 to 604800, not "0".'],
    [
      { CARILLON_MEDIA_URL_SECONDS: '604801' },
      'CARILLON_MEDIA_URL_SECONDS must be a whole number from 1 to 604800, not "604801".',
    ],
    [{ CARILLON_MEDIA_PULL_SECONDS: '59' }, 'CARILLON_MEDIA_PULL_SECONDS must be a whole number from 60 to 604800, not "59".'],
    [
      { CARILLON_MEDIA_PULL_SECONDS: '604801' },
      'CARILLON_MEDIA_PULL_SECONDS must be a whole number from 60 to 604800, not "604801".',
    ],
    [{ CARILLON_SIGN_UP: 'no' }, 'CARILLON_SIGN_UP must be open or closed, not "no". For example: CARILLON_SIGN_UP=closed'],
    [{ CARILLON_PLAN: 'gold' }, 'CARILLON_PLAN must be free, pro or business, not "gold".'],
    [{ CARILLON_PLATFORM_ORIGINS: '{' }, 'CARILLON_PLATFORM_ORIGINS must be a JSON object, not "{".'],
    [{ CARILLON_PLATFORM_ORIGINS: 'null' }, 'CARILLON_PLATFORM_ORIGINS must be a JSON object, not "null".'],
    [{ ...s3, CARILLON_S3_ACCESS_KEY: '' }, 'CARILLON_S3_ACCESS_KEY is not set.'],
    [{ ...s3, CARILLON_S3_SECRET_KEY: '' }, 'CARILLON_S3_SECRET_KEY is not set.'],
    [{ ...s3, CARILLON_S3_PATH_STYLE: 'yes' }, 'CARILLON_S3_PATH_STYLE must be true or false, not "yes".'],
    [{ ...ai, CARILLON_AI_MODEL: '' }, 'CARILLON_AI_MODEL is not set.'],
    [{ ...ai, CARILLON_AI_JSON: 'xml' }, 'CARILLON_AI_JSON must be schema or object, not "xml".'],
    [{ ...ai, CARILLON_AI_TIMEOUT_MS: '0' }, 'CARILLON_AI_TIMEOUT_MS must be a whole number from 1 to 90000, not "0".'],
    [{ ...ai, CARILLON_AI_TIMEOUT_MS: '90001' }, 'CARILLON_AI_TIMEOUT_MS must be a whole number from 1 to 90000, not "90001".'],
    [{ ...ai, CARILLON_AI_MONTHLY_TOKENS: 'all' }, 'CARILLON_AI_MONTHLY_TOKENS must be a whole number of 0 or more, not "all".'],
    [{ ...oidc, CARILLON_OIDC_CLIENT_ID: '' }, 'CARILLON_OIDC_CLIENT_ID is not set.'],
    [{ ...oidc, CARILLON_OIDC_CLIENT_SECRET: '' }, 'CARILLON_OIDC_CLIENT_SECRET is not set.'],
    [{ ...oidc, CARILLON_OIDC_TRUST_EMAIL: '1' }, 'CARILLON_OIDC_TRUST_EMAIL must be true or false, not "1".'],
    [{ CARILLON_SMTP_URL: 'smtp://mail.example' }, 'CARILLON_MAIL_FROM is not set.'],
  ]
  test.each(refused)('%o', (env, problem) => {
    const problems = problemsOf({ ...required, ...env })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  test('all problems are reported at once, each one once', () => {
    const problems = problemsOf({ ...ai, CARILLON_AI_MODEL: '', CARILLON_PORT: 'x', CARILLON_PLAN: 'gold' })
    const names = problems.map((problem) => problem.split(' ')[0])
    const expected = ['DATABASE_URL', 'CARILLON_SECRET_KEYS', 'CARILLON_PORT', 'CARILLON_AI_MODEL', 'CARILLON_PLAN']
    expect(names).toEqual(expected)
  })

  test('a secret is not repeated in the message', () => {
    expect(problemsOf({ ...required, CARILLON_SECRET_KEYS: `k1:${key}AAAA` }).join()).not.toContain(key)
  })

  test('the placeholder of the example file is not accepted as a key', () => {
    const settings = describeSettings().flatMap((group) => group.settings)
    const placeholder = settings.find(({ setting }) => setting.name === 'CARILLON_SECRET_KEYS')?.setting.example
    expect(problemsOf({ ...required, CARILLON_SECRET_KEYS: placeholder })).toHaveLength(1)
  })
})

describe('the settings of a router', () => {
  const readRouter = (cells: string, more: Record<string, string> = {}) =>
    readRouterConfig({ CARILLON_ROUTER_CELLS: cells, ...more }, () => {})

  test('need no database and no keys', () => {
    const config = readRouter('0=http://10.0.0.10:3000, 7=https://cell.example/')
    expect([...config.cells]).toEqual([
      [0, 'http://10.0.0.10:3000'],
      [7, 'https://cell.example'],
    ])
    expect(config).toMatchObject({ defaultCell: 0, publicUrl: 'http://127.0.0.1:3000', healthPort: 9081 })
  })

  test.each([
    ['http://10.0.0.10:3000', 'must have entries such as 0=http://10.0.0.10:3000, not "http://10.0.0.10:3000"'],
    ['1024=http://10.0.0.10', 'not "1024=http://10.0.0.10"'],
    ['0=http://10.0.0.10/path', 'not "0=http://10.0.0.10/path"'],
    ['0=http://user:password@10.0.0.10', 'must have entries such as'],
    ['0=ftp://10.0.0.10', 'not "0=ftp://10.0.0.10"'],
    ['0=http://10.0.0.10,0=http://10.0.0.11', 'CARILLON_ROUTER_CELLS has the cell 0 twice.'],
    ['1=http://10.0.0.10', 'CARILLON_ROUTER_DEFAULT_CELL is 0, which CARILLON_ROUTER_CELLS does not have. Set it to one of: 1'],
    ['', 'CARILLON_ROUTER_CELLS is not set. Name every cell'],
  ])('"%s" is refused with what to write instead', (cells, message) => {
    expect(() => readRouter(cells)).toThrow(message)
  })
})

describe('unknown variables', () => {
  function warningsOf(env: Record<string, string>): string[] {
    const warnings: string[] = []
    readConfig({ ...required, ...env }, (message) => warnings.push(message))
    return warnings
  }

  test('a typing error is a warning with the nearest name', () => {
    expect(warningsOf({ CARILLON_PROT: '80', CARILLON_APP_LINKDIN: 'a:b', CARILLON_COLOUR: 'red' })).toEqual([
      'CARILLON_PROT is not a setting and has no effect. Did you mean CARILLON_PORT?',
      'CARILLON_APP_LINKDIN is not a setting and has no effect. Did you mean CARILLON_APP_LINKEDIN?',
      'CARILLON_COLOUR is not a setting and has no effect.',
    ])
  })

  test('settings, developer apps, variables of other programs and of our test tools cause no warning', () => {
    const env = {
      PATH: '/bin',
      CARILLON_APP_X: 'a:b',
      CARILLON_PORT: '80',
      CARILLON_SERVICES_DIR: 'x',
      CARILLON_TEST_S3_BUCKET: 'b',
    }
    expect(warningsOf(env)).toEqual([])
  })
})

test('every setting has one name, a sentence, and a value to write', () => {
  const settings = describeSettings().flatMap((group) => group.settings.map(({ setting }) => setting))
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
  for (const { about, example, default: fallback } of settings) {
    expect(about).toMatch(/\.$/)
    expect(example || fallback).toBeTruthy()
  }
})
