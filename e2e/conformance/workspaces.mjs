import { answers, cases, equal, expect, fields, hexId, is, need, rows, skip, succeeded } from './lib.mjs'

const ROLES = ['owner', 'admin', 'editor', 'viewer']
const WORKSPACE = {
  id: is.hex24,
  name: is.text,
  slug: is.text,
  plan: is.oneOf('free', 'pro', 'business'),
  hasPlans: is.boolean,
  timezone: is.text,
  holdIfLateMinutes: is.orNull(is.integer),
  role: is.oneOf(...ROLES),
  createdAt: is.time,
  usage: is.object,
}
const CONNECTION = {
  id: is.hex24,
  slug: is.text,
  platform: is.platform,
  handle: is.text,
  displayName: is.string,
  avatarUrl: is.orNull(is.string),
  status: is.oneOf('active', 'expiring', 'needs_reconnect', 'disconnected'),
  statusReason: is.orNull(is.string),
  capabilities: is.any,
  target: is.maybe(is.orNull(is.object)),
  targets: is.maybe(is.orNull(is.arrayOf(is.object))),
  connectedAt: is.time,
  expiresAt: is.orNull(is.time),
}
const MEMBER = { userId: is.hex24, email: is.text, name: is.orNull(is.string), role: is.oneOf(...ROLES), joinedAt: is.time }
const INVITATION = {
  id: is.hex24,
  email: is.text,
  role: is.oneOf(...ROLES),
  status: is.oneOf('pending', 'accepted', 'expired'),
  invitedBy: is.any,
  expiresAt: is.time,
  createdAt: is.time,
}

export async function workspaces({ I, D, api, config, mark, slug, neighbour, endpoints }) {
  const home = `/workspaces/${config.workspaceId}`
  const list = async (path) => {
    const data = succeeded(await api('GET', path))
    return rows(data) ?? expect(false, 'a list', data)
  }

  // ---- workspaces ----
  const all = await I('4.5 GET /workspaces', () => list('/workspaces'))
  await I('4.5 GET /workspaces has the one in use', () =>
    expect(
      need(all, 'no list').some(({ id }) => id === config.workspaceId),
      config.workspaceId,
      all?.map(({ id }) => id),
    ),
  )
  const one = await I('4.5 GET /workspaces/:id', async () => succeeded(await api('GET', home)))
  await I('5.3 the workspace id is the identifier of the workspace', () =>
    equal(need(one, 'no workspace').id, config.workspaceId),
  )
  await fields(D, '10 Workspace', one, WORKSPACE)
  const made = await I('4.5 POST /workspaces', () => neighbour())
  await fields(D, '10 Workspace (created)', made, { id: is.hex24, name: is.text, role: is.oneOf('owner') })
  const path = `/workspaces/${made?.id}`
  await I('4.5 PATCH /workspaces/:id', async () => {
    succeeded(await api('PATCH', path, { body: { name: `${mark} renamed` } }))
    equal(succeeded(await api('GET', path)).name, `${mark} renamed`)
  })
  await D('10 PATCH /workspaces/:id holdIfLateMinutes and timezone', async () => {
    succeeded(await api('PATCH', path, { body: { holdIfLateMinutes: 15, timezone: 'Europe/Berlin' } }))
    const now = succeeded(await api('GET', path))
    equal([now.holdIfLateMinutes, now.timezone, now.name], [15, 'Europe/Berlin', `${mark} renamed`])
  })
  await D('1 POST /workspaces without a name is 422', async () => answers(await api('POST', '/workspaces', { body: {} }), 422))
  await D('1 POST /workspaces unknown field is 422', async () =>
    answers(await api('POST', '/workspaces', { body: { name: mark, surprise: 1 } }), 422),
  )
  await D('1 PATCH /workspaces/:id unknown field is 422', async () =>
    answers(await api('PATCH', path, { body: { surprise: 1 } }), 422),
  )
  await D('1 PATCH /workspaces/:id field plan of the record is refused or forbidden', async () =>
    answers(await api('PATCH', path, { body: { id: hexId() } }), [403, 422]),
  )
  await D('1 an unknown workspace is 404', async () => answers(await api('GET', `/workspaces/${hexId()}`), 404))
  await I('4.5 DELETE /workspaces/:id', async () => {
    const extra = succeeded(await api('POST', '/workspaces', { body: { name: `${mark} brief` } }))
    succeeded(await api('DELETE', `/workspaces/${extra.id}`))
    answers(await api('GET', `/workspaces/${extra.id}`), 404)
    expect(!(await list('/workspaces')).some(({ id }) => id === extra.id), 'not listed', extra.id)
  })

  // ---- connections ----
  const connections = await I('4.5 GET /workspaces/:id/connections', () => list(`${home}/connections`))
  const mine = connections?.find((entry) => entry.slug === slug)
  await I('1 the connections in use are listed by slug', () => {
    const slugs = need(connections, 'no list').map((entry) => entry.slug)
    equal(
      config.connections.filter((entry) => !slugs.includes(entry)),
      [],
    )
  })
  await I('1 a slug is <platform>-<handle>', () => {
    for (const entry of need(connections, 'no list'))
      expect(
        /^[a-z0-9]+-.+/.test(entry.slug) && (!entry.platform || entry.slug.startsWith(`${entry.platform}-`)),
        '<platform>-<handle>',
        entry.slug,
      )
  })
  await fields(D, '10 Connection', mine, CONNECTION)
  await D('10 slug characters', () => {
    for (const entry of need(connections, 'no list')) expect(/^[a-z0-9._-]+$/.test(entry.slug), '[a-z0-9._-]', entry.slug)
  })
  await I('1 no endpoint creates a connection', async () =>
    answers(await api('POST', `${home}/connections`, { body: { platform: 'x', handle: 'y' } }), [404, 405]),
  )
  await D('1 PATCH …/connections/:connId/pages without targetId is 422', async () =>
    answers(await api('PATCH', `${home}/connections/${need(mine, 'no connection').id}/pages`, { body: {} }), 422),
  )
  await D('10 PATCH …/connections/:connId/pages chooses a target', async () => {
    const many = need(connections, 'no list').find((entry) => entry.targets?.length) ?? skip('no connection has targets')
    const target = many.targets.find(({ id }) => id !== many.target?.id) ?? many.targets[0]
    const put = async (targetId) => {
      succeeded(await api('PATCH', `${home}/connections/${many.id}/pages`, { body: { targetId } }))
    }
    await put(target.id)
    try {
      equal((await list(`${home}/connections`)).find(({ id }) => id === many.id).target.id, target.id)
    } finally {
      if (many.target) await put(many.target.id)
    }
  })
  for (const [verb, method, tail] of cases([
    ['disconnect', 'DELETE', ''],
    ['revoke', 'POST', '/revoke'],
  ])) {
    await D(`1 ${verb} of an unknown connection is 404`, async () =>
      answers(await api(method, `${home}/connections/${hexId()}${tail}`), 404),
    )
    await I(`4.5 ${method} /workspaces/:id/connections/:connId${tail} (${verb})`, async () => {
      const spare = config.spareConnections[verb === 'disconnect' ? 0 : 1] ?? skip('SPARE_CONNECTIONS names no connection for it')
      const { id } = need(connections, 'no list').find((entry) => entry.slug === spare) ?? skip(`${spare} is not listed`)
      succeeded(await api(method, `${home}/connections/${id}${tail}`))
      const after = (await list(`${home}/connections`)).find((entry) => entry.id === id)
      expect(!after || after.status === 'disconnected', 'gone or disconnected', after?.status)
    })
  }
  await D('10 GET /platforms', async () => {
    const platforms = rows(succeeded(await api('GET', '/platforms')))
    expect(
      JSON.stringify(platforms)?.includes(`"${slug.split('-')[0]}"`),
      `an entry for ${slug.split('-')[0]}`,
      platforms?.length,
    )
  })

  // ---- members ----
  const members = await I('4.5 GET /workspaces/:id/members', () => list(`${path}/members`))
  await fields(D, '10 Member', members?.[0], MEMBER)
  await D('10 the creator is owner', () =>
    equal(
      need(members, 'no list').map(({ role }) => role),
      ['owner'],
    ),
  )
  const self = members?.[0]?.userId
  await D('1 PATCH /workspaces/:id/members/:userId with another role is 422', async () =>
    answers(await api('PATCH', `${path}/members/${need(self, 'no member')}`, { body: { role: 'emperor' } }), 422),
  )
  await D('1 PATCH and DELETE of an unknown member are 404', async () => {
    answers(await api('PATCH', `${path}/members/${hexId()}`, { body: { role: 'viewer' } }), 404)
    answers(await api('DELETE', `${path}/members/${hexId()}`), 404)
  })
  await I('4.5 DELETE /workspaces/:id/members/:userId', async () => {
    // The only member is the caller, who is the last owner: a rejection is as valid as a removal, but a missing route is not.
    const extra = succeeded(await api('POST', '/workspaces', { body: { name: `${mark} left` } }))
    const { status } = await api('DELETE', `/workspaces/${extra.id}/members/${need(self, 'no member')}`)
    expect(status < 500 && ![401, 404, 405].includes(status), '2xx or a refusal such as 409', status)
  })

  // ---- invitations ----
  const email = `${mark}@example.com`
  const sent = await I('4.5 POST /workspaces/:id/invitations', async () =>
    succeeded(await api('POST', `${path}/invitations`, { body: { email, role: 'viewer' } })),
  )
  await fields(D, '10 Invitation', sent, INVITATION)
  await D('10 Invitation email, role, status', () =>
    equal([need(sent, 'not sent').email, sent.role, sent.status], [email, 'viewer', 'pending']),
  )
  await I('4.5 GET /workspaces/:id/invitations', async () =>
    expect(
      (await list(`${path}/invitations`)).some(({ id }) => id === need(sent, 'not sent').id),
      sent?.id,
      'not listed',
    ),
  )
  await D('1 invitation with a bad address is 422', async () =>
    answers(await api('POST', `${path}/invitations`, { body: { email: 'nobody', role: 'viewer' } }), 422),
  )
  await D('1 invitation with another role is 422', async () =>
    answers(await api('POST', `${path}/invitations`, { body: { email, role: 'emperor' } }), 422),
  )
  await I('4.5 DELETE /workspaces/:id/invitations/:inviteId', async () => {
    succeeded(await api('DELETE', `${path}/invitations/${need(sent, 'not sent').id}`))
    expect(!(await list(`${path}/invitations`)).some(({ id }) => id === sent.id), 'not listed', sent.id)
  })
  await D('1 deleting the invitation again is 404', async () =>
    answers(await api('DELETE', `${path}/invitations/${need(sent, 'not sent').id}`), 404),
  )
  await I('4.5 api-keys of another workspace of the same person', async () => {
    const key = succeeded(await api('POST', `${path}/api-keys`, { body: { label: mark } }))
    await list(`${path}/api-keys`)
    succeeded(await api('DELETE', `${path}/api-keys/${key.id}`))
  })
  await endpoints(4.5)
}
