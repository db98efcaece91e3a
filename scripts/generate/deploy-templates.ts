import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parse, stringify } from 'yaml'
import { root } from '../../stack/services/folders.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

type Service = Record<string, unknown> & {
  image: string
  environment?: Record<string, string | null>
  volumes?: string[]
}
type Compose = {
  services: Record<string, Service>
  configs?: Record<string, { content: string }>
  networks?: Record<string, unknown>
  volumes: Record<string, unknown>
}

const source = 'deploy/compose.yaml'
const repositoryUrl = 'https://github.com/carillon-dev/carillon'
const logo = 'https://raw.githubusercontent.com/carillon-dev/carillon/main/web/public/icon.svg'
const slogan = 'Publishes one post to many social accounts: on time, once, and with an honest result for each.'

/** Settings that a person types into the form of such a program, because there is no file carillon.env. Compose leaves out what is not set. */
const offeredSettings = [
  'CARILLON_SMTP_URL',
  'CARILLON_MAIL_FROM',
  'CARILLON_S3_BUCKET',
  'CARILLON_S3_REGION',
  'CARILLON_S3_ENDPOINT',
  'CARILLON_S3_ACCESS_KEY',
  'CARILLON_S3_SECRET_KEY',
]

/** Version 1.1 puts quotation marks around `no` and `0:0`, which older readers would take for something else than a text. */
const yamlStyle = { version: '1.1', lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false } as const

/** The files that programs for home servers install from. They are made from compose.yaml, so their images, secrets and volumes are the same. */
export const deployTemplates: FileGenerator = {
  name: 'templates of Coolify, Portainer and CasaOS',
  ownsFolder: 'deploy/templates',
  make: async () => {
    const make = async (change: (compose: Compose) => object, header: readonly string[] = []) => {
      const comments = [...header, generatedFrom(source)].map((line) => `# ${line}\n`).join('')
      return `${comments}${stringify(change(await readCompose()), yamlStyle)}`
    }
    return [
      { path: 'deploy/templates/coolify.yaml', text: await make(forCoolify, coolifyHeader) },
      { path: 'deploy/templates/portainer.yaml', text: await make(await forPortainer()) },
      { path: 'deploy/templates/portainer.json', text: `${JSON.stringify(portainerTemplates, null, 2)}\n` },
      { path: 'deploy/templates/casaos.yaml', text: await make(forCasaOs) },
    ]
  },
}

/** compose.yaml as one file that needs no other and builds nothing. */
async function readCompose(): Promise<Compose> {
  const text = await readFile(join(root, source), 'utf8')
  // Every choice of the file .env has its default, except the public address.
  const fixed = text.replaceAll(/\$\{(?!CARILLON_SITE)\w+:-([^}]*)\}/g, '$1').replaceAll('./backups:', 'backups:')
  const { services, networks, volumes } = parse(fixed, { merge: true }) as Compose
  for (const service of Object.values(services)) {
    for (const key of ['build', 'pull_policy', 'env_file', 'configs']) delete service[key]
  }
  const { carillon, engine } = services
  if (!carillon?.environment || !engine?.environment) throw new Error(`${source} has no settings for carillon and the engine`)
  Object.assign(carillon.environment, Object.fromEntries(offeredSettings.map((name) => [name, null])))
  // A form may pass on an empty field, and this is the only one whose default is not "nothing".
  carillon.environment['CARILLON_S3_REGION'] = '${CARILLON_S3_REGION:-us-east-1}'
  delete engine.environment['RESTATE_CONFIG']
  Object.assign(engine.environment, await readEngineSettings())
  return { services, networks: networks ?? {}, volumes: { ...volumes, backups: null } }
}

/** The engine reads the settings of its file from the environment as well: `[worker.invoker] tmp-dir` is RESTATE_WORKER__INVOKER__TMP_DIR. */
async function readEngineSettings(): Promise<Record<string, string>> {
  const toml = parseToml(await readFile(join(root, 'deploy/restate.toml'), 'utf8'))
  const flatten = (value: unknown, path: readonly string[]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => flatten(each, [...path, name]))
      : [[`RESTATE_${path.join('__').replaceAll('-', '_').toUpperCase()}`, String(value)]]
  return Object.fromEntries(flatten(toml, []))
}

/** Their own proxy has the certificates and leads to port 3000. */
function removeProxy({ services, networks, volumes }: Compose): Compose {
  const { proxy: _, ...others } = services
  const { 'proxy-data': _data, 'proxy-config': _config, ...kept } = volumes
  return { services: others, networks: networks ?? {}, volumes: kept }
}

const coolifyHeader = [
  `documentation: ${repositoryUrl}/blob/main/docs/guides/install.md`,
  `slogan: ${slogan}`,
  'category: social',
  'tags: social media, publishing, scheduling, mastodon, bluesky, linkedin',
  `logo: ${logo}`,
  'port: 3000',
]

/** Coolify puts the services of one template into one network, where its proxy finds them, and fills in SERVICE_URL_… */
function forCoolify(compose: Compose): object {
  const { services, volumes } = removeProxy(compose)
  for (const [name, service] of Object.entries(services)) {
    delete service['networks']
    delete service['network_mode']
    // They end after each start, which is no fault.
    if (name === 'prepare' || name === 'migrate') service['exclude_from_hc'] = true
  }
  if (services['carillon'])
    services['carillon'].environment = {
      SERVICE_URL_CARILLON_3000: null,
      ...services['carillon'].environment,
      CARILLON_PUBLIC_URL: '${SERVICE_URL_CARILLON}',
    }
  return { services, volumes }
}

/** With the proxy: many who use Portainer have none. */
async function forPortainer(): Promise<(compose: Compose) => object> {
  const caddyfile = await readFile(join(root, 'deploy/Caddyfile'), 'utf8')
  return ({ services, networks, volumes }) => {
    Object.assign(services['proxy'] ?? {}, { configs: [{ source: 'proxy', target: '/etc/caddy/Caddyfile' }] })
    // Compose replaces $ in this text, and Caddy must see it.
    return { services, configs: { proxy: { content: caddyfile.replaceAll('$', '$$$$') } }, networks, volumes }
  }
}

const portainerTemplates = {
  version: '3',
  templates: [
    {
      id: 1,
      type: 3,
      title: 'Carillon',
      name: 'carillon',
      description: slogan,
      note: 'The log of the service carillon has the setup code that the first account needs.',
      categories: ['social'],
      platform: 'linux',
      logo,
      repository: { url: repositoryUrl, stackfile: 'deploy/templates/portainer.yaml' },
      env: [
        {
          name: 'CARILLON_SITE',
          label: 'Public address',
          description: 'With https, the proxy gets a certificate by itself; the name must lead to this machine.',
          default: 'http://localhost',
        },
        ...offeredSettings.map((name) => ({ name, label: name, default: '' })),
      ],
    },
  ],
}

/** CasaOS keeps the data of each app in folders, and opens the app by a port of the machine. */
function forCasaOs(compose: Compose): object {
  const { services, networks, volumes } = removeProxy(compose)
  const names = Object.keys(volumes)
  for (const service of Object.values(services)) {
    service.volumes = service.volumes?.map((each) => {
      const [name = ''] = each.split(':')
      return names.includes(name) ? each.replace(name, `/DATA/AppData/$AppID/${name}`) : each
    }) as string[]
    if (!service.volumes) delete service['volumes']
  }
  if (services['carillon']) {
    services['carillon']['ports'] = [{ target: 3000, published: '3000', protocol: 'tcp' }]
    services['carillon'].environment = { ...services['carillon'].environment, CARILLON_PUBLIC_URL: 'http://casaos.local:3000' }
  }
  const text = (english: string, german: string) => ({ en_us: english, de_de: german })
  return {
    name: 'carillon',
    services,
    networks,
    'x-casaos': {
      architectures: ['amd64', 'arm64'],
      main: 'carillon',
      author: 'Carillon',
      developer: 'Carillon',
      category: 'Social',
      icon: logo,
      title: text('Carillon', 'Carillon'),
      tagline: text('One post, many social accounts', 'Ein Beitrag, viele Konten'),
      description: text(
        slogan,
        'Veröffentlicht einen Beitrag auf vielen Konten: pünktlich, genau einmal und mit einem ehrlichen Ergebnis für jedes Konto.',
      ),
      tips: {
        before_install: text(
          'Set CARILLON_PUBLIC_URL to the address that you type into the browser. The log of the service carillon has the setup code that the first account needs.',
          'Trage als CARILLON_PUBLIC_URL die Adresse ein, die du im Browser eingibst. Im Protokoll des Dienstes carillon steht der Einrichtungscode für das erste Konto.',
        ),
      },
      index: '/welcome',
      port_map: '3000',
      scheme: 'http',
    },
  }
}
