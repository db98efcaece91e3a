import { randomBytes } from 'node:crypto'
import { formOf, jpeg, mp4, pdf, png } from './fixtures.mjs'
import { ENDPOINTS, createClient } from './client.mjs'
import { expect, hexId, skip, succeeded, until } from './lib.mjs'

export const TERMINAL = ['completed', 'partial_failure', 'failed']
export const DAY_MS = 86_400_000

const FILES = {
  png: () => ({ bytes: png(Math.random() * 7), name: 'square.png', type: 'image/png' }),
  jpeg: () => ({ bytes: jpeg(), name: 'square.jpg', type: 'image/jpeg' }),
  pdf: () => ({ bytes: pdf(), name: 'page.pdf', type: 'application/pdf' }),
}

/** What every section uses: the client, the two kinds of check, and shared values that are created once. */
export function createContext(config, report) {
  const client = createClient(config)
  const { api } = client
  const mark = `cnf${randomBytes(4).toString('hex')}` // in every text and file name, so leftovers can be found
  const [slug] = config.connections
  const once = (make) => {
    let made
    return () => (made ??= make())
  }

  const file = (kind) => {
    const made = FILES[kind]()
    return { ...made, name: `${mark}-${hexId().slice(0, 6)}-${made.name}` }
  }
  const text = (more) => ({ connections: [slug], text: `${mark} ${hexId()}`, ...more })
  const create = async (more, kind = 'text') => succeeded(await api('POST', `/content/${kind}`, { body: text(more) }))
  const draft = async (more, kind) => (await create({ saveDraft: true, ...more }, kind)).draftId
  const later = (days = 400) => new Date(Date.now() + days * DAY_MS).toISOString()
  const read = async (id) => succeeded(await api('GET', `/content/${id}`))
  const status = async (id) => succeeded(await api('GET', '/content/status', { query: { requestId: id } }))
  const settled = (id, timeoutMs = 30_000) =>
    until(
      () => status(id),
      (post) => TERMINAL.includes(post.status),
      { timeoutMs },
    )
  const clip = once(mp4)
  const upload = async (kind) => {
    const made =
      kind === 'mp4'
        ? {
            bytes: (await clip()) ?? skip('ffmpeg is not installed, so there is no test video'),
            name: `${mark}-clip.mp4`,
            type: 'video/mp4',
          }
        : file(kind)
    return { ...succeeded(await api('POST', '/media/upload', { form: formOf(['file', made]) })), sent: made }
  }
  const publish = async (connections) => {
    const made = await create({ connections, title: `${mark} title` })
    const post = await settled(made.uploadId)
    expect(TERMINAL.includes(post.status), TERMINAL.join(' | '), post.status)
    return { ...post, made }
  }

  return {
    config,
    client,
    api,
    mark,
    slug,
    report,
    I: report.I,
    D: report.D,
    file,
    text,
    create,
    draft,
    later,
    read,
    status,
    settled,
    upload,
    media: Object.fromEntries(['png', 'jpeg', 'pdf', 'mp4'].map((kind) => [kind, once(() => upload(kind))])),
    published: once(() => publish([slug])),
    partial: once(async () => publish([slug, config.failConnection ?? skip('FAIL_CONNECTION is not set')])),
    failed: once(async () => publish([config.failConnection ?? skip('FAIL_CONNECTION is not set')])),
    /** A second workspace of the same person, in which ids of the first must look unknown. */
    neighbour: once(async () => succeeded(await api('POST', '/workspaces', { body: { name: `${mark} neighbour` } }))),

    /** Checks that every endpoint of a section exists: it must have given an answer that an unknown route cannot give. */
    async endpoints(section) {
      for (const endpoint of ENDPOINTS[section]) {
        await report.I(`${section} ${endpoint} exists`, async () => {
          const answers = client.seen(endpoint)
          if (
            answers.some(({ status: code }) => ![401, 404, 405, 429].includes(code) && code < 500) ||
            answers.some(({ status: code }) => code === 503)
          )
            return
          const missed = answers.find(({ status: code }) => code === 404)
          if (!missed)
            expect(
              false,
              'an answer other than 401, 404, 405, 5xx',
              answers.map(({ status: code }) => code),
            )
          // Only an unknown id was tried. Its 404 proves the route if a request that surely has no route answers differently.
          const control = await api('PUT', missed.path, { body: {} })
          if (control.status === 404 && control.error?.code === missed.code)
            skip('an unknown id and an unknown route answer alike, and no id could be spared')
        })
      }
    },
  }
}
