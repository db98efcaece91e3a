import { ENDPOINTS } from './client.mjs'
import { answers, equal, expect, fields, hexId, is, refused, rows, sleep, succeeded } from './lib.mjs'

const SCOPED = ['/content', '/media', '/ai/status', '/analytics', '/webhooks']

export async function auth({ config, api, I, D, text }) {
  for (const endpoint of Object.values(ENDPOINTS).flat()) {
    const [method, template] = endpoint.split(' ')
    await I(`4 ${endpoint} needs authentication`, async () => {
      const path = template.replaceAll(':id', hexId())
      answers(await api(method, path, { key: null, body: method === 'GET' || method === 'DELETE' ? undefined : {} }), 401)
    })
  }

  await I('5.1 missing key is refused', async () => answers(await api('GET', '/content', { key: null }), 401))
  await I('5.1 unknown key is refused', async () => answers(await api('GET', '/content', { key: `sk_${'x'.repeat(49)}` }), 401))
  await I('5.1 key without the word Bearer is refused', async () =>
    answers(await api('GET', '/content', { headers: { authorization: config.apiKey } }), 401),
  )
  await I('5.1 key in a query parameter is refused', async () =>
    answers(await api('GET', '/content', { key: null, query: { apiKey: config.apiKey, access_token: config.apiKey } }), 401),
  )
  await D('3 key with a broken checksum is 401', async () => {
    const last = config.apiKey.at(-1)
    answers(await api('GET', '/content', { key: config.apiKey.slice(0, -1) + (last === 'a' ? 'b' : 'a') }), 401)
  })
  await I('5.2 API keys start with sk_', () => expect(config.apiKey.startsWith('sk_'), 'sk_…', config.apiKey.slice(0, 3)))

  for (const path of SCOPED) {
    await I(`5.3 GET ${path} without X-Workspace-Id is refused`, async () => refused(await api('GET', path, { workspace: null })))
    await D(`1 GET ${path} without X-Workspace-Id is 400 workspace_header_missing`, async () =>
      answers(await api('GET', path, { workspace: null }), 400, 'workspace_header_missing'),
    )
    await D(`1 GET ${path} with an unknown workspace is 404`, async () =>
      answers(await api('GET', path, { workspace: hexId() }), 404),
    )
  }
  await I('5.3 POST /content/text without X-Workspace-Id is refused', async () =>
    refused(await api('POST', '/content/text', { workspace: null, body: text({ saveDraft: true }) })),
  )
  await I('5.4 /workspaces/:id/… needs no X-Workspace-Id', async () => {
    succeeded(await api('GET', `/workspaces/${config.workspaceId}/api-keys`, { workspace: null }))
  })

  // ---- keys ----
  const base = `/workspaces/${config.workspaceId}/api-keys`
  const made = await I('4.5 POST /workspaces/:id/api-keys', async () =>
    succeeded(await api('POST', base, { body: { label: 'conformance' } })),
  )
  await fields(I, '2 API key', made, { id: is.uuid, prefix: is.text, label: is.string, createdAt: is.time, key: is.text })
  await D('1 POST api-keys answers 201', async () => {
    succeeded(await api('POST', base, { body: { label: 'conformance 201' } }), 201)
  })
  await I('4.5 api-keys field label is kept', () => equal(made?.label, 'conformance'))
  await I('5.2 key and prefix start with sk_', () =>
    expect(made?.key?.startsWith('sk_') && made.prefix.startsWith('sk_'), 'sk_…', made?.prefix),
  )
  await I('2 prefix is the leading characters of the key', () =>
    expect(
      made?.key?.startsWith(made.prefix) && made.prefix.length < made.key.length / 2,
      'a short start of the key',
      made?.prefix,
    ),
  )
  await D('3 key is sk_ + 43 + 6 base62 characters', () =>
    expect(/^sk_[0-9A-Za-z]{49}$/.test(made?.key), 'sk_ and 49 base62 characters', made?.key?.length),
  )
  await D('3 prefix is the first 11 characters', () => equal(made?.prefix, made?.key?.slice(0, 11)))
  await D('2 API key id is UUID v7', () => expect(is.uuid7.test(made?.id), 'UUID v7', made?.id))
  await D('1 api-keys wrong label type is 422', async () => answers(await api('POST', base, { body: { label: 7 } }), 422))
  await D('1 api-keys unknown field is 422', async () =>
    answers(await api('POST', base, { body: { label: 'x', surprise: 1 } }), 422),
  )

  const listed = await I('4.5 GET /workspaces/:id/api-keys', async () => {
    const response = await api('GET', base)
    const list = rows(succeeded(response))
    expect(list, 'a list', response.data)
    const mine = list.find(({ id }) => id === made?.id)
    expect(
      mine,
      `key ${made?.id} in the list`,
      list.map(({ id }) => id),
    )
    return { mine, response }
  })
  await I('5.2 listings show only the prefix', () =>
    expect(
      listed && !listed.response.text.includes(made.key) && !listed.mine.key,
      'no full key',
      Object.keys(listed?.mine ?? {}),
    ),
  )
  await fields(I, '2 API key (listed)', listed?.mine, { id: is.uuid, prefix: is.text, label: is.string, createdAt: is.time })
  await I('4.5 a new key works', async () => {
    succeeded(await api('GET', '/content', { key: made.key }))
  })

  await D('3 scopes narrow a key', async () => {
    const narrow = succeeded(await api('POST', base, { body: { label: 'read only', scopes: ['content:read'] } }))
    succeeded(await api('GET', '/content', { key: narrow.key }))
    answers(await api('POST', '/content/text', { key: narrow.key, body: text({ saveDraft: true }) }), 403)
    answers(await api('GET', '/media', { key: narrow.key }), 403)
  })
  await D('3 expiresAt ends a key', async () => {
    const brief = succeeded(
      await api('POST', base, { body: { label: 'brief', expiresAt: new Date(Date.now() + 2500).toISOString() } }),
    )
    succeeded(await api('GET', '/content', { key: brief.key }))
    await sleep(3000)
    answers(await api('GET', '/content', { key: brief.key }), 401)
  })

  await I('4.5 DELETE /workspaces/:id/api-keys/:keyId', async () => {
    succeeded(await api('DELETE', `${base}/${made.id}`))
  })
  await I('4.5 a deleted key stops working', async () => answers(await api('GET', '/content', { key: made.key }), 401))
  await I('4.5 a deleted key leaves the list', async () =>
    expect(!rows(succeeded(await api('GET', base))).some(({ id }) => id === made.id), 'key gone', made.id),
  )
  await D('1 deleting it again is 404', async () => answers(await api('DELETE', `${base}/${made.id}`), 404))
}
