import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../stack/services/folders.ts'

type Service = {
  image: string
  volumes?: string[]
  environment?: Record<string, string | null>
  depends_on?: Record<string, unknown>
  build?: unknown
  env_file?: unknown
  networks?: string[] | null
}
type Compose = {
  services: Record<string, Service>
  volumes?: Record<string, unknown>
  configs?: Record<string, { file?: string; content?: string }>
  networks?: Record<string, unknown>
  'x-casaos'?: Record<string, unknown>
}

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const withDefaults = (text: string) => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
const original = parse(withDefaults(read('compose.yaml')), { merge: true }) as Compose
const names = ['coolify', 'portainer', 'casaos'] as const

/** Where each service sees what, without the beginning that differs from program to program. */
const mounts = ({ volumes = [] }: Service) => volumes.map((each) => each.replace(/^(?:\.\/|\/DATA\/AppData\/\$AppID\/)/, ''))

/** Guarantee: an installation from a template is the one of compose.yaml, with the same images, secrets and volumes, from one file. */
describe.each(names)('%s', (name) => {
  const template = parse(read(`templates/${name}.yaml`)) as Compose

  test('has the services of compose.yaml, with the same images and mounts', () => {
    const wanted = Object.keys(original.services).filter((each) => each !== 'proxy' || name === 'portainer')
    expect(Object.keys(template.services)).toEqual(wanted)
    for (const [each, service] of Object.entries(template.services)) {
      const same = original.services[each]
      expect([each, service.image]).toEqual([each, same?.image])
      expect([each, mounts(service)]).toEqual([each, same && mounts(same)])
      expect(Object.keys(service.depends_on ?? {})).toEqual(Object.keys(same?.depends_on ?? {}))
    }
  })

  test('needs no other file', () => {
    for (const service of Object.values(template.services)) {
      expect(service.build).toBeUndefined()
      expect(service.env_file).toBeUndefined()
    }
    for (const config of Object.values(template.configs ?? {})) expect(config.file).toBeUndefined()
    const declared = Object.keys(template.volumes ?? {})
    const used = Object.values(template.services).flatMap(({ volumes = [] }) => volumes.map((each) => each.split(':')[0] ?? ''))
    const named = used.filter((each) => !each.startsWith('/'))
    expect(declared.toSorted()).toEqual([...new Set(named)].toSorted())
    const networks = Object.values(template.services).flatMap((service) => service.networks ?? [])
    expect(Object.keys(template.networks ?? {})).toEqual(expect.arrayContaining(networks))
  })

  test('gives the engine the settings of its file', () => {
    expect(template.services['engine']?.environment).toMatchObject({
      RESTATE_DEFAULT_NUM_PARTITIONS: '8',
      RESTATE_BIFROST__DEFAULT_PROVIDER: 'replicated',
      RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: '16',
      RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: '/secrets/identity.pem',
    })
    expect(template.services['engine']?.environment).not.toHaveProperty('RESTATE_CONFIG')
  })
})

/** Guarantee: a pull never brings another version than the one that was tried. */
test('no image has a tag that moves', () => {
  const files = ['compose.yaml', 'compose.nodes.yaml', 'compose.try.yaml', ...names.map((name) => `templates/${name}.yaml`)]
  const images = files.flatMap((file) => withDefaults(read(file)).match(/(?<=^ +image: )\S+/gm) ?? [])
  expect(images.length).toBeGreaterThan(20)
  // PostgreSQL has two numbers, and the others have three.
  for (const image of images) expect(image).toMatch(/^(?:postgres:\d+\.\d+|[\w/]+:\d+\.\d+\.\d+(?:-\w+)*)$/)
})

test('each template tells its program the address and the port', () => {
  expect(read('templates/coolify.yaml')).toMatch(/^# port: 3000$/m)
  const settingsOf = (name: string) => (parse(read(`templates/${name}.yaml`)) as Compose).services['carillon']?.environment
  expect(settingsOf('coolify')).toMatchObject({ SERVICE_URL_CARILLON_3000: null, CARILLON_PUBLIC_URL: '${SERVICE_URL_CARILLON}' })
  expect(settingsOf('portainer')).toMatchObject({ CARILLON_PUBLIC_URL: '${CARILLON_SITE:-http://localhost}' })
  expect((parse(read('templates/casaos.yaml')) as Compose)['x-casaos']).toMatchObject({ main: 'carillon', port_map: '3000' })
  // Compose reads $$ as $, and Caddy must find its own variable.
  const { configs } = parse(read('templates/portainer.yaml')) as Compose
  expect(configs?.['proxy']?.content?.replaceAll('$$', '$')).toBe(read('Caddyfile'))
})

test('the list for Portainer leads to the stack', () => {
  const { version, templates } = JSON.parse(read('templates/portainer.json'))
  expect([version, templates.length]).toEqual(['3', 1])
  expect(templates[0]).toMatchObject({ type: 3, platform: 'linux', repository: { stackfile: 'deploy/templates/portainer.yaml' } })
})
