import { resolve } from 'node:path'
import { cellMax } from '../infra/db/ids.ts'
import { parseSecretKeys } from '../infra/sealing/seal.ts'
import { trimSlashes } from '../infra/text/trim-slashes.ts'
import type { SettingFacts, SettingPerPlatform, SettingTree } from './setting.ts'
import {
  choice,
  contactAddress,
  converted,
  flag,
  jsonMap,
  list,
  onlyWith,
  optionalText,
  text,
  webAddress,
  wholeNumber,
} from './setting-kinds.ts'

const weekSeconds = 604_800

/** A count of the table `quota_window` is at most 2,147,483,647. */
const dailyTokensMax = 2_000_000_000

/** A limit on how much a person or workspace may have. `Infinity` means no limit. */
function quota({ about, ...facts }: Pick<SettingFacts, 'name' | 'about'> & { default: string }) {
  const setting = wholeNumber({ ...facts, group: 'Quotas', about: `${about} 0 means no limit.` })
  return converted(setting, (value) => value || Infinity)
}

/**
 * Every setting, at its place in the configuration. The type `Config`, the tables in docs/configuration.md and .env.example come from
 * this table: after a change, run `pnpm generate`.
 */
export const settings = {
  databaseUrl: converted(
    text({
      name: 'DATABASE_URL',
      group: 'Database, secrets and engine',
      about:
        'The PostgreSQL database, with the owner of the tables, a user that may create roles and tables. It is used for migrations and ' +
        'for creating the two logins with which the service works; their passwords follow from the first secret key. A process that has ' +
        'both logins below needs no owner: then `carillon migrate`, with this setting, brings the schema forward. Connect to PostgreSQL ' +
        'itself: a pooler has its own setting below.',
      example: 'postgres://carillon:password@127.0.0.1:5432/carillon',
      replacedBy: ['CARILLON_DATABASE_APP_URL', 'CARILLON_DATABASE_SYSTEM_URL'],
      isSecret: true,
    }),
    (url) => url || null,
  ),
  database: {
    appUrl: optionalText({
      name: 'CARILLON_DATABASE_APP_URL',
      group: 'Database, secrets and engine',
      about:
        'The same database with a login of your own for requests: a member of `carillon_app` and of nothing else. Row-level security ' +
        'applies to it. If it is not set, Carillon creates the login.',
      example: 'postgres://my_app:password@127.0.0.1:5432/carillon',
      isSecret: true,
    }),
    systemUrl: optionalText({
      name: 'CARILLON_DATABASE_SYSTEM_URL',
      group: 'Database, secrets and engine',
      about:
        'The same database with a login of your own for work across workspaces, such as finding what is due: a member of ' +
        '`carillon_system` and of nothing else. If it is not set, Carillon creates the login.',
      example: 'postgres://my_system:password@127.0.0.1:5432/carillon',
      isSecret: true,
    }),
    poolerUrl: optionalText({
      name: 'CARILLON_DATABASE_POOLER_URL',
      group: 'Database, secrets and engine',
      about:
        'The address of a pooler in transaction mode, such as PgBouncer, in front of the same database, without a user. Requests and ' +
        'background work then connect to it with the logins of the service. Notifications, migrations and backups still connect to ' +
        'PostgreSQL itself. See docs/guides/scaling.md.',
      example: 'postgres://127.0.0.1:6432/carillon',
    }),
    tenantConnections: wholeNumber({
      name: 'CARILLON_DATABASE_TENANT_CONNECTIONS',
      group: 'Database, secrets and engine',
      default: '20',
      min: 1,
      about: 'How many database connections a process opens at most for requests and for work inside one workspace.',
    }),
    tenantStatementSeconds: wholeNumber({
      name: 'CARILLON_DATABASE_TENANT_SECONDS',
      group: 'Database, secrets and engine',
      default: '30',
      min: 1,
      max: 600,
      about:
        'How long a statement inside one workspace may take, in seconds, from 1 to 600. PostgreSQL then ends the statement; if it does not ' +
        'answer at all, the connection is closed two seconds later. A wait for a lock ends after half of this time.',
    }),
    systemConnections: wholeNumber({
      name: 'CARILLON_DATABASE_SYSTEM_CONNECTIONS',
      group: 'Database, secrets and engine',
      default: '20',
      min: 1,
      about:
        'How many database connections a process opens at most for work across workspaces, such as dispatching posts. A worker also has ' +
        'one connection that waits for notifications.',
    }),
    systemStatementSeconds: wholeNumber({
      name: 'CARILLON_DATABASE_SYSTEM_SECONDS',
      group: 'Database, secrets and engine',
      default: '15',
      min: 1,
      max: 600,
      about:
        'The same limit for statements across workspaces. Dispatching posts pauses for at most this long when the network drops a ' +
        'connection without telling. Migrations have no limit.',
    }),
  },
  secretKeys: {
    name: 'CARILLON_SECRET_KEYS',
    group: 'Database, secrets and engine',
    about:
      'The keys that encrypt stored tokens, as `id:key` pairs with commas between them. The first key encrypts; all of them decrypt, so ' +
      'put a new key in front of the old ones to change it. A key is 32 bytes in base64: `openssl rand -base64 32`. The passwords of the ' +
      'database logins follow from the first key: after you removed an old key, `carillon migrate` removes its logins.',
    example: 'k1:write-here-the-output-of-openssl-rand',
    isSecret: true,
    parse: parseSecretKeys,
  },
  restateIngressUrl: text({
    name: 'RESTATE_INGRESS_URL',
    group: 'Database, secrets and engine',
    default: 'http://127.0.0.1:8080',
    about: 'The address at which the engine (Restate) accepts work.',
  }),
  restateAdminUrl: text({
    name: 'RESTATE_ADMIN_URL',
    group: 'Database, secrets and engine',
    default: 'http://127.0.0.1:9070',
    about: 'The address at which workers register themselves with the engine.',
  }),
  restateIdentityKeys: converted(
    list({
      name: 'RESTATE_IDENTITY_KEYS',
      group: 'Database, secrets and engine',
      about:
        'The public keys of the engine (`publickeyv1_…`, with commas between them). A worker then answers only requests that the engine ' +
        'signed. The engine gets the private key with `request-identity-private-key-pem-file` and writes the public key to its log when it ' +
        'starts. Without a key, a worker listens on a loopback address only.',
      example: 'publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9',
    }),
    checkIdentityKeys,
  ),

  host: text({
    name: 'CARILLON_HOST',
    group: 'Addresses',
    default: '127.0.0.1',
    about: 'The address on which the API listens.',
  }),
  port: wholeNumber({ name: 'CARILLON_PORT', group: 'Addresses', default: '3000', about: 'The port on which the API listens.' }),
  publicUrl: text({
    name: 'CARILLON_PUBLIC_URL',
    group: 'Addresses',
    default: 'http://${CARILLON_HOST}:${CARILLON_PORT}',
    about:
      'The address that people type. Cookies, passkeys and the check of the `Origin` header depend on it. With `https:`, cookies get the ' +
      '`__Host-` prefix.',
    example: 'https://carillon.example',
  }),
  webDir: converted(
    text({
      name: 'CARILLON_WEB_DIR',
      group: 'Addresses',
      default: './web/dist',
      about: 'The folder with the built web app, which is served at the public address. Without it, only the API is served.',
    }),
    (dir) => resolve(dir),
  ),
  operator: {
    name: converted(
      text({
        name: 'CARILLON_OPERATOR_NAME',
        group: 'Operator',
        default: 'Carillon',
        about:
          'The name of this service, or of the organisation that runs it, as people read it: in the titles of pages, in mails, and at ' +
          'servers where Carillon registers itself. Platforms that review an app compare it with the name of the app.',
        example: 'Tower Media',
      }),
      (name) => name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() || 'Carillon',
    ),
    contact: contactAddress({
      name: 'CARILLON_OPERATOR_CONTACT',
      group: 'Operator',
      about: 'Where people reach the operator: a mail address, or the address of a page.',
      example: 'help@tower.example',
    }),
    logoUrl: webAddress({
      name: 'CARILLON_OPERATOR_LOGO_URL',
      group: 'Operator',
      about: 'The address of a picture that is shown beside the name instead of the bell. It should be square and have https.',
      example: 'https://tower.example/logo.svg',
    }),
  },
  legal: {
    privacyUrl: webAddress({
      name: 'CARILLON_PRIVACY_URL',
      group: 'Operator',
      about: 'The address of your own privacy policy. `/legal/privacy` then leads to it and shows no text from the template.',
      example: 'https://tower.example/privacy',
    }),
    termsUrl: webAddress({
      name: 'CARILLON_TERMS_URL',
      group: 'Operator',
      about: 'The address of your own terms of use, for `/legal/terms`.',
      example: 'https://tower.example/terms',
    }),
    deletionUrl: webAddress({
      name: 'CARILLON_DATA_DELETION_URL',
      group: 'Operator',
      about: 'The address of your own page about deleting data, for `/legal/data-deletion`.',
      example: 'https://tower.example/delete-my-data',
    }),
  },
  siteFiles: converted(
    jsonMap({
      name: 'CARILLON_SITE_FILES',
      group: 'Operator',
      about:
        'Small files at the root of the public address with which a platform checks that the domain is yours, as a JSON object: the name, ' +
        'which ends in `.txt` or `.html`, and the text.',
      example: '{"verify-Ab12.txt":"site-verification=Ab12"}',
    }),
    checkSiteFiles,
  ),
  workerHost: text({
    name: 'CARILLON_WORKER_HOST',
    group: 'Addresses',
    default: '127.0.0.1',
    about:
      'The address on which a worker listens for the engine. Without `RESTATE_IDENTITY_KEYS` everything that reaches this port can start ' +
      'work, so a worker without these keys starts only on a loopback address.',
  }),
  workerPort: wholeNumber({
    name: 'CARILLON_WORKER_PORT',
    group: 'Addresses',
    default: '9080',
    about: 'The port on which a worker listens for the engine (HTTP/2).',
  }),
  workerUrl: text({
    name: 'CARILLON_WORKER_URL',
    group: 'Addresses',
    default: 'http://127.0.0.1:${CARILLON_WORKER_PORT}',
    about:
      'The address at which the engine reaches the workers of this release. With several workers it is the address of the balancer in ' +
      'front of them, the same for all: the engine sends new work only to the address that registered last.',
    example: 'http://workers.carillon.example:9080',
  }),
  healthHost: text({
    name: 'CARILLON_HEALTH_HOST',
    group: 'Addresses',
    default: '127.0.0.1',
    about: 'The address on which the private health port listens.',
  }),
  healthPort: wholeNumber({
    name: 'CARILLON_HEALTH_PORT',
    group: 'Addresses',
    default: '9081',
    max: 65_535,
    about:
      'The private port (HTTP/1.1) that answers `/health/live`, `/health/accepting` and `/health/ready` in every role. Two processes on ' +
      'one machine need different ports.',
  }),
  cell: wholeNumber({
    name: 'CARILLON_CELL',
    group: 'Network, limits and logging',
    default: '0',
    max: cellMax,
    about:
      'The number of this installation, from 0 to 1023. It is part of every new id, so that several installations can be joined ' +
      'behind one address. All processes of an installation use the same number; never change it. See docs/guides/cells.md.',
  }),
  // Only `carillon router` reads these.
  router: onlyWith('cells', {
    cells: converted(
      list({
        name: 'CARILLON_ROUTER_CELLS',
        group: 'Network, limits and logging',
        about:
          'For `carillon router` only: every cell as `number=address`, with commas between them. The address is that of the API of the cell, ' +
          'or of the balancer in front of it, as the router reaches it. See docs/guides/cells.md.',
        example: '0=http://10.0.0.10:3000,1=http://10.0.1.10:3000',
      }),
      parseCells,
    ),
    defaultCell: wholeNumber({
      name: 'CARILLON_ROUTER_DEFAULT_CELL',
      group: 'Network, limits and logging',
      default: '0',
      max: cellMax,
      about:
        'For `carillon router` only: the cell for requests that name none, such as the web app and new accounts. It may be changed at any time.',
    }),
  }),

  apps: {
    name: 'CARILLON_APP_<PLATFORM>',
    group: 'Platforms',
    default: '',
    about: 'Your developer app on a platform, as `client id:client secret`. There is one variable per platform.',
    example: 'client-id:client-secret',
    isSecret: true,
    parseEach(pair: string) {
      // The secret may contain colons, and the id may not.
      const at = pair.indexOf(':')
      return at < 0 ? { clientId: pair, clientSecret: '' } : { clientId: pair.slice(0, at), clientSecret: pair.slice(at + 1) }
    },
  } satisfies SettingPerPlatform,
  vettedApps: list({
    name: 'CARILLON_VETTED_APPS',
    group: 'Platforms',
    about:
      'Platforms, with commas between them, that approved your app for more than every app may ask for, such as pages. People are then asked ' +
      'for these permissions; docs/guides/connections.md says where this is possible.',
    example: '<platform>,<platform>',
  }),
  neutralCallbacks: list({
    name: 'CARILLON_NEUTRAL_CALLBACKS',
    group: 'Platforms',
    about:
      'Platforms, with commas between them, whose redirect URL must not have their name in it. `GET /platforms` and the Integrations screen ' +
      'show the address to register; the address with the name works as well.',
    example: '<platform>,<platform>',
  }),
  sandboxes: list({
    name: 'CARILLON_SANDBOXES',
    group: 'Platforms',
    about:
      'Platforms, with commas between them, whose sandbox is used until they have approved your app. What is published there is seen by its author ' +
      'only. Accounts are connected again when this changes; the setup page of a platform says whether it has a sandbox.',
    example: '<platform>,<platform>',
  }),
  paidFigures: list({
    name: 'CARILLON_PAID_FIGURES',
    group: 'Platforms',
    about:
      'Platforms, with commas between them, that charge your app for the figures of posts and whose figures are read all the same. Without it, ' +
      'they have none in analytics; docs/platforms says what they charge.',
    example: '<platform>,<platform>',
  }),
  platformOrigins: jsonMap({
    name: 'CARILLON_PLATFORM_ORIGINS',
    group: 'Platforms',
    about: 'Other addresses for the APIs of platforms, as a JSON map from platform to origin. It is meant for the simulator.',
    example: '{"<platform>":"http://127.0.0.1:4010"}',
  }),

  media: {
    dir: converted(
      text({
        name: 'CARILLON_MEDIA_DIR',
        group: 'Media',
        default: './data/media',
        about: 'The folder that stores media files. With an S3 store, it holds files only while they are checked.',
      }),
      (dir) => resolve(dir),
    ),
    sizeBytesMax: wholeNumber({
      name: 'CARILLON_MEDIA_BYTES_MAX',
      group: 'Media',
      default: String(2 * 1024 ** 3),
      about: 'The size of the largest file that is accepted, in bytes.',
    }),
    sandbox: choice({
      name: 'CARILLON_MEDIA_SANDBOX',
      group: 'Media',
      default: 'auto',
      values: ['auto', 'require'],
      about:
        'How the programs that open media files are confined. `auto` uses the strongest sandbox that the machine allows, and logs a warning ' +
        'at start if that is not bubblewrap. `require` does not start without bubblewrap. docs/guides/media.md describes the levels.',
    }),
    urlSeconds: wholeNumber({
      name: 'CARILLON_MEDIA_URL_SECONDS',
      group: 'Media',
      default: '3600',
      min: 1,
      max: weekSeconds,
      about: 'How long the `url` of a media item works, in seconds, from 1 to 604800 (a week).',
    }),
    pullSeconds: wholeNumber({
      name: 'CARILLON_MEDIA_PULL_SECONDS',
      group: 'Media',
      default: '86400',
      min: 60,
      // The signature of an S3 address is valid for a week at most.
      max: weekSeconds,
      about: 'How long a platform may take to download a file whose address it received, in seconds, from 60 to 604800 (a week).',
    }),
    filesUrl: converted(
      text({
        name: 'CARILLON_FILES_URL',
        group: 'Media',
        default: '${CARILLON_PUBLIC_URL}',
        about:
          'The address in front of `/files`, where the files of the folder are served. Use a host of its own, so that files which users ' +
          'uploaded cannot reach the cookies of the app.',
        example: 'https://files.carillon.example',
      }),
      trimSlashes,
    ),
    s3: onlyWith('bucket', {
      bucket: text({
        name: 'CARILLON_S3_BUCKET',
        group: 'Media',
        about: 'The bucket of an S3 store that keeps the media instead of the folder.',
        example: 'carillon-media',
      }),
      accessKey: text({
        name: 'CARILLON_S3_ACCESS_KEY',
        group: 'Media',
        about: 'The access key of the S3 store.',
        example: 'access-key',
        isSecret: true,
      }),
      secretKey: text({
        name: 'CARILLON_S3_SECRET_KEY',
        group: 'Media',
        about: 'The secret key of the S3 store.',
        example: 'secret-key',
        isSecret: true,
      }),
      endpoint: optionalText({
        name: 'CARILLON_S3_ENDPOINT',
        group: 'Media',
        about: 'The address of the S3 store. If it is not set, the store is the one of Amazon.',
        example: 'https://s3.example',
      }),
      publicEndpoint: optionalText({
        name: 'CARILLON_S3_PUBLIC_ENDPOINT',
        group: 'Media',
        about: 'The address at which browsers and platforms reach the S3 store, if it differs from the endpoint.',
        example: 'https://media.carillon.example',
      }),
      region: text({ name: 'CARILLON_S3_REGION', group: 'Media', default: 'us-east-1', about: 'The region of the S3 store.' }),
      pathStyle: flag({
        name: 'CARILLON_S3_PATH_STYLE',
        group: 'Media',
        default: 'true',
        about: 'The form of file addresses: `true` for `host/bucket/key`, `false` for `bucket.host/key`.',
      }),
    }),
  },

  signUp: choice({
    name: 'CARILLON_SIGN_UP',
    group: 'Sign-in',
    default: 'closed',
    values: ['open', 'closed'],
    about:
      '`closed` allows only the first account, people who were invited, and those created by `carillon setup`. `open` lets everyone who ' +
      'reaches the server create an account, and with it workspaces that use your storage, your AI model and your apps at the platforms.',
  }),
  oauthRegistration: choice({
    name: 'CARILLON_OAUTH_REGISTRATION',
    group: 'Sign-in',
    default: 'open',
    values: ['open', 'closed'],
    about:
      'Programs that act for a person, such as assistants, introduce themselves. `open` also lets those do it that have no document about ' +
      'themselves on the web; a person still decides what each may do. `closed` refuses them.',
  }),
  operators: list({
    name: 'CARILLON_OPERATORS',
    group: 'Sign-in',
    about:
      'E-mail addresses, with commas between them, of the people who see how the whole installation is doing: Settings, Installation. ' +
      'If it is not set, it is the person of the first account, or the one whom `carillon operator` named.',
    example: 'ada@example.com',
  }),
  // The operator chose the identity provider, so requests to it are not restricted by the egress guard.
  oidc: onlyWith('issuer', {
    issuer: text({
      name: 'CARILLON_OIDC_ISSUER',
      group: 'Sign-in',
      about: 'The identity provider (OpenID Connect), exactly as its discovery document names it.',
      example: 'https://id.example',
    }),
    clientId: text({
      name: 'CARILLON_OIDC_CLIENT_ID',
      group: 'Sign-in',
      about: 'The client id at the identity provider. Register `<public URL>/auth/callback/oidc` there as the redirect address.',
      example: 'carillon',
    }),
    clientSecret: text({
      name: 'CARILLON_OIDC_CLIENT_SECRET',
      group: 'Sign-in',
      about: 'The client secret at the identity provider.',
      example: 'client-secret',
      isSecret: true,
    }),
    name: text({
      name: 'CARILLON_OIDC_NAME',
      group: 'Sign-in',
      default: 'Single sign-on',
      about: 'The text of the sign-in button.',
    }),
    trustEmail: flag({
      name: 'CARILLON_OIDC_TRUST_EMAIL',
      group: 'Sign-in',
      default: 'false',
      about:
        '`true` accepts every e-mail address from the provider as verified. Use it for providers that never send `email_verified`, and ' +
        'only if people cannot choose their address there.',
    }),
  }),

  mail: onlyWith('smtpUrl', {
    smtpUrl: text({
      name: 'CARILLON_SMTP_URL',
      group: 'Mail',
      about:
        'The mail server. Mail that it does not accept is stored encrypted and tried again. If it is not set, no mail is sent: the ' +
        'subject and the link are in the log at level `info`.',
      example: 'smtps://user:password@mail.example:465',
      isSecret: true,
    }),
    from: text({ name: 'CARILLON_MAIL_FROM', group: 'Mail', about: 'The sender of all mail.', example: 'carillon@mail.example' }),
  }),

  // The operator chose the endpoint, so requests to it are not restricted by the egress guard.
  ai: onlyWith('url', {
    url: text({
      name: 'CARILLON_AI_URL',
      group: 'AI',
      about: 'An endpoint with the chat completions of OpenAI, up to `/v1`. If it is not set, AI is off.',
      example: 'http://127.0.0.1:11434/v1',
    }),
    model: text({ name: 'CARILLON_AI_MODEL', group: 'AI', about: 'The name of the model at the endpoint.', example: 'llama3.2' }),
    key: optionalText({
      name: 'CARILLON_AI_KEY',
      group: 'AI',
      about: 'The key that is sent to the endpoint as a bearer token.',
      example: 'key',
      isSecret: true,
    }),
    json: choice({
      name: 'CARILLON_AI_JSON',
      group: 'AI',
      default: 'schema',
      values: ['schema', 'object'],
      about: '`schema` makes the model answer in our JSON schema. `object` is for endpoints that know `json_object` only.',
    }),
    timeoutMs: wholeNumber({
      name: 'CARILLON_AI_TIMEOUT_MS',
      group: 'AI',
      default: '20000',
      min: 1,
      // An idempotency claim lasts two minutes and must last longer than the work it protects.
      max: 90_000,
      about: 'How long a whole request may take, including repeated calls to the model, in milliseconds, from 1 to 90000.',
    }),
    monthlyTokens: converted(
      wholeNumber({
        name: 'CARILLON_AI_MONTHLY_TOKENS',
        group: 'AI',
        default: '0',
        about: 'The tokens that a workspace may use in a calendar month (UTC), as the provider counts them. 0 means no limit.',
      }),
      (tokens) => tokens || null,
    ),
    dailyTokensPerPerson: converted(
      wholeNumber({
        name: 'CARILLON_AI_DAILY_TOKENS_PER_PERSON',
        group: 'AI',
        default: '200000',
        max: dailyTokensMax,
        about: 'The tokens that a person may use in 24 hours, in all their workspaces together. 0 means no limit.',
      }),
      (tokens) => tokens || Infinity,
    ),
    dailyTokens: converted(
      wholeNumber({
        name: 'CARILLON_AI_DAILY_TOKENS',
        group: 'AI',
        default: '5000000',
        max: dailyTokensMax,
        about: 'The tokens that all people of this installation together may use in 24 hours. 0 means no limit.',
      }),
      (tokens) => tokens || Infinity,
    ),
  }),

  quotas: {
    workspaces: quota({
      name: 'CARILLON_QUOTA_WORKSPACES',
      default: '250',
      about: 'How many workspaces a person may own.',
    }),
    webhooks: quota({
      name: 'CARILLON_QUOTA_WEBHOOKS',
      default: '100',
      about: 'How many webhooks a workspace may have, and how many an account.',
    }),
    invitations: quota({
      name: 'CARILLON_QUOTA_INVITATIONS',
      default: '100',
      about: 'How many open invitations a workspace may have.',
    }),
    mailsPerDay: quota({
      name: 'CARILLON_QUOTA_MAILS_PER_DAY',
      default: '200',
      about: 'How many invitations a workspace, and how many a person, may send by mail in 24 hours.',
    }),
    mailsPerAddress: quota({
      name: 'CARILLON_QUOTA_MAILS_PER_ADDRESS',
      default: '3',
      about:
        'How many of these mails one workspace may send to one address in 24 hours. A person may send ten times as many to it.',
    }),
    storageBytes: quota({
      name: 'CARILLON_QUOTA_STORAGE_BYTES',
      default: String(100 * 1024 ** 3),
      about:
        'How many bytes the uploaded files of a workspace may have together. Converted copies and thumbnails are not counted.',
    }),
    storageBytesTotal: quota({
      name: 'CARILLON_QUOTA_STORAGE_BYTES_TOTAL',
      default: '0',
      about:
        'How many bytes the uploaded files of all workspaces may have together, so that many workspaces cannot fill the store. Converted ' +
        'copies and thumbnails are not counted: leave a third of the store for them. `carillon doctor` warns from 80 % on.',
    }),
  },

  auditDays: converted(
    wholeNumber({
      name: 'CARILLON_AUDIT_DAYS',
      group: 'Retention',
      default: '0',
      about:
        'After how many days entries of the audit logs are deleted: those of workspaces, and those of people, which contain IP addresses. ' +
        'At least 30. 0 keeps them until the workspace or the person is deleted. `carillon audit verify` still finds every change of what ' +
        'is left. All other tables are in docs/guides/retention.md.',
    }),
    (days) => {
      if (days > 0 && days < 30)
        throw new Error(`CARILLON_AUDIT_DAYS must be 0, which keeps all entries, or at least 30, not "${days}".`)
      return days || null
    },
  ),
  egressAllow: list({
    name: 'CARILLON_EGRESS_ALLOW',
    group: 'Network, limits and logging',
    about: 'Private networks (CIDR, with commas between them) that addresses chosen by users, such as webhooks, may reach.',
    example: '10.0.0.0/8',
  }),
  trustedProxies: list({
    name: 'CARILLON_TRUSTED_PROXIES',
    group: 'Network, limits and logging',
    about:
      'Addresses or networks, with commas between them, of the proxies whose `X-Forwarded-For` header is trusted. If it is not set, ' +
      'everyone behind a proxy counts as one network, and strangers can use up the limits that are counted by network. The log warns then.',
    example: '10.0.0.1',
  }),
  mcp: choice({
    name: 'CARILLON_MCP',
    group: 'Network, limits and logging',
    default: 'on',
    values: ['off', 'read', 'draft', 'on'],
    about:
      'What assistants may do at `/mcp` at most: `on` leaves it to their API keys, `draft` lets them write drafts and files but publish and ' +
      'delete nothing, `read` lets them read, `off` serves no MCP at all. It does not change what the same keys may do at the API.',
  }),
  plan: choice({
    name: 'CARILLON_PLAN',
    group: 'Network, limits and logging',
    default: 'business',
    values: ['free', 'pro', 'business'],
    about: 'The plan of new workspaces: `free`, `pro` or `business`.',
  }),
  planChanges: choice({
    name: 'CARILLON_PLAN_CHANGES',
    group: 'Network, limits and logging',
    default: 'owner',
    values: ['owner', 'operator'],
    about:
      'Who changes the plan of a workspace: `owner` lets its owners do it through the API. With `operator` only `carillon plan` does, ' +
      'which is meant for an installation that is hosted for others.',
  }),
  requestsPerMinute: wholeNumber({
    name: 'CARILLON_REQUESTS_PER_MINUTE',
    group: 'Network, limits and logging',
    default: '6000',
    about:
      'The requests per minute that an API key may send, and that a network may send without a valid key. A workspace may send twice as ' +
      'many. The limits hold for all API processes together, and must be the same in all of them.',
  }),
  accountMailsPerHour: wholeNumber({
    name: 'CARILLON_ACCOUNT_MAILS_PER_HOUR',
    group: 'Network, limits and logging',
    default: '1000',
    min: 20,
    about:
      'The mails per hour that people without an account can cause: to confirm an address and to set a password. One network may cause a ' +
      'twentieth of it. The limits hold for all API processes together.',
  }),
  tracing: onlyWith('endpoint', {
    endpoint: text({
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      group: 'Network, limits and logging',
      about:
        'The address of an OpenTelemetry collector (OTLP over HTTP, JSON), without `/v1/traces`. If it is not set, no traces are recorded.',
      example: 'http://127.0.0.1:4318',
    }),
    headers: text({
      name: 'OTEL_EXPORTER_OTLP_HEADERS',
      group: 'Network, limits and logging',
      default: '',
      about: 'Headers for the collector, as `name=value` pairs with commas between them.',
      example: 'authorization=Bearer%20token',
      isSecret: true,
    }),
    percent: wholeNumber({
      name: 'CARILLON_TRACE_PERCENT',
      group: 'Network, limits and logging',
      default: '5',
      max: 100,
      about:
        'How many of a hundred requests are traced, with everything that follows from them. The choice follows from the id of the trace, so ' +
        'all processes agree.',
    }),
  }),
  logLevel: text({
    name: 'CARILLON_LOG_LEVEL',
    group: 'Network, limits and logging',
    default: 'info',
    about: 'The lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  }),
} satisfies SettingTree

/** The address of each cell, without a slash at its end. */
function parseCells(entries: readonly string[]): ReadonlyMap<number, string> {
  const cells = new Map<number, string>()
  for (const entry of entries) {
    const [, number = '', address = ''] = /^(\d{1,4})=(.+)$/.exec(entry) ?? []
    const cell = number === '' ? NaN : Number(number)
    const origin = originOf(address)
    if (!(cell <= cellMax) || origin === null)
      throw new Error(`CARILLON_ROUTER_CELLS must have entries such as 0=http://10.0.0.10:3000, not "${entry}".`)
    if (cells.has(cell)) throw new Error(`CARILLON_ROUTER_CELLS has the cell ${cell} twice.`)
    cells.set(cell, origin)
  }
  return cells
}

/** The origin of an address without a path or user; null for any other text. */
function originOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.href === `${url.origin}/` ? url.origin : null
}

function checkIdentityKeys(keys: readonly string[]): readonly string[] {
  const wrong = keys.find((key) => !/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(key))
  if (wrong !== undefined) throw new Error(`RESTATE_IDENTITY_KEYS must be public keys such as publickeyv1_…, not "${wrong}".`)
  return keys
}

const siteFileName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\.(?:txt|html)$/

/** A name is part of an address and nothing else: no folder, no dot but that of its ending, and not the page of the app. */
function checkSiteFiles(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, content] of Object.entries(files)) {
    if (!siteFileName.test(name) || name.toLowerCase() === 'index.html')
      throw new Error(`CARILLON_SITE_FILES cannot have a file named "${name}".`)
    if (content.length > 10_000) throw new Error('CARILLON_SITE_FILES has a text of more than 10,000 characters.')
  }
  return files
}
