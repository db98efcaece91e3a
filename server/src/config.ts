import { appSetting, platforms } from '@carillon/contract'
import { listSettings } from './config/list-settings.ts'
import { type Environment, readSettings } from './config/read-settings.ts'
import type { SettingTree, ValueOf } from './config/setting.ts'
import { settings } from './config/settings.ts'
import { StartError } from './infra/problem/problem.ts'
import { findNearest } from './infra/text/find-nearest.ts'

/** Every value of the configuration is declared and described in config/settings.ts. */
export type Config = ValueOf<typeof settings>
export type AiConfig = NonNullable<Config['ai']>
export type MailConfig = NonNullable<Config['mail']>
type MediaConfig = Config['media']
export type OidcConfig = NonNullable<Config['oidc']>
export type TracingConfig = NonNullable<Config['tracing']>
export type S3Config = NonNullable<MediaConfig['s3']>

/** The only reader of the environment. */
export function readConfig(env: Environment = process.env, warn: (message: string) => void = console.warn): Config {
  // The warnings come first: a misspelt name often explains why a required setting is missing.
  for (const message of findUnknownSettings(settings, env)) warn(message)
  return readSettings(settings, env)
}

const { host, port, publicUrl, healthHost, healthPort, trustedProxies, logLevel, router } = settings
const routerSettings = { host, port, publicUrl, healthHost, healthPort, trustedProxies, logLevel, router }

export type RouterConfig = Omit<ValueOf<typeof routerSettings>, 'router'> & NonNullable<Config['router']>

/** The settings of `carillon router`, which has neither a database nor keys. */
export function readRouterConfig(env: Environment = process.env, warn: (message: string) => void = console.warn): RouterConfig {
  for (const message of findUnknownSettings(settings, env)) warn(message)
  const { router: own, ...others } = readSettings(routerSettings, env)
  if (own === null)
    throw new StartError(
      'CARILLON_ROUTER_CELLS is not set. Name every cell, for example: CARILLON_ROUTER_CELLS=0=http://10.0.0.10:3000,1=http://10.0.1.10:3000',
    )
  if (!own.cells.has(own.defaultCell))
    throw new StartError(
      `CARILLON_ROUTER_DEFAULT_CELL is ${own.defaultCell}, which CARILLON_ROUTER_CELLS does not have. Set it to one of: ${[...own.cells.keys()].join(', ')}`,
    )
  return { ...others, ...own }
}

/** The whole environment, for a command that starts other programs with it. */
export function readEnvironment(): Environment {
  return process.env
}

const prefix = 'CARILLON_'
// The test tools and the example programs read these; a server that they start inherits them.
const readElsewhere = /^CARILLON_(?:TEST_\w+|SERVICES_DIR|CONFORMANCE|WORLD|URL|KEY|WORKSPACE)$/

/** One sentence for each `CARILLON_…` variable that no setting reads. It is probably a typing error. */
function findUnknownSettings(tree: SettingTree, env: Environment): string[] {
  const known = listSettings(tree).flatMap(({ setting }) => namesOf(setting.name))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !readElsewhere.test(name) && !known.includes(name))
    .map((name) => {
      const nearest = findNearest(name, known)
      return `${name} is not a setting and has no effect.${nearest ? ` Did you mean ${nearest}?` : ''}`
    })
}

function namesOf(name: string): string[] {
  return name === appSetting('<PLATFORM>') ? platforms.map(appSetting) : [name]
}
