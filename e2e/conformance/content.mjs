import { randomUUID } from 'node:crypto'
import { formOf } from './fixtures.mjs'
import { answers, cases, equal, expect, fields, is, names, need, refused, show, skip, succeeded } from './lib.mjs'
import { DAY_MS } from './context.mjs'

export const CHANNEL = { platform: is.platform, connectionId: is.string, targetName: is.string, result: is.object }
export const POST = {
  uploadId: is.hex24,
  requestId: is.uuid,
  status: is.text,
  type: is.oneOf('text', 'photo', 'video', 'document'),
  contentFormat: is.orNull(is.string),
  title: is.orNull(is.string),
  text: is.orNull(is.string),
  firstComment: is.any,
  linkUrl: is.orNull(is.string),
  medias: is.arrayOf(is.any),
  channels: is.arrayOf(is.object),
  platformOptions: is.any,
  scheduledAt: is.orNull(is.time),
  timezone: is.orNull(is.string),
  publishedAt: is.orNull(is.time),
  archived: is.boolean,
  archivedAt: is.orNull(is.time),
  createdAt: is.time,
  updatedAt: is.time,
}
const USAGE = { count: is.integer, limit: is.integer, remaining: is.integer }
const commentText = (comment) => comment?.text ?? comment

export async function content(context) {
  await textModes(context)
  await textFields(context)
  await scheduling(context)
  await photos(context)
  await video(context)
  await document(context)
  await validate(context)
}

async function textModes({ I, D, api, text, published, settled, status, config, slug, later }) {
  const sync = await I('4.1 POST /content/text synchronous', async () => (await published()).made)
  await fields(I, '4.1 synchronous create', sync, { success: is.true, requestId: is.uuid, uploadId: is.hex24, usage: is.object })
  await fields(I, '4.1 synchronous create usage', sync?.usage, USAGE)
  await I('8 usage remaining fits limit and count', () => {
    const { count, limit, remaining } = need(sync?.usage, 'no usage')
    equal(remaining, limit === -1 ? -1 : limit - count)
  })
  await D('2 requestId is UUID v7', () => expect(is.uuid7.test(sync?.requestId), 'UUID v7', sync?.requestId))
  const one = await D('1 synchronous create answers 201', async () =>
    succeeded(await api('POST', '/content/text', { body: text({ scheduledAt: later() }) }), 201),
  )
  await D('5 usage counts accepted posts', async () => {
    const next = succeeded(await api('POST', '/content/text', { body: text({ scheduledAt: later() }) }))
    equal(next.usage.count, need(one?.usage, 'no usage').count + 1)
  })

  const post = await I('3 a created post is dispatched and completes', async () => {
    const done = await published()
    equal(done.status, 'completed')
    return done
  })
  const view = {
    requestId: is.uuid,
    uploadId: is.hex24,
    status: is.text,
    type: is.oneOf('text'),
    channels: is.arrayOf(is.object),
    createdAt: is.time,
  }
  await fields(I, '4.1 GET /content/status', post, view)
  await I('4.1 GET /content/status by requestId', async () => equal((await status(sync.requestId)).uploadId, sync.uploadId))
  await I('4.1 GET /content/status by uploadId', async () => equal((await status(sync.uploadId)).requestId, sync.requestId))
  await I('4.1 GET /content/status without requestId is refused', async () => refused(await api('GET', '/content/status')))
  await I('4.1 GET /content/status of an unknown id is refused', async () =>
    answers(await api('GET', '/content/status', { query: { requestId: randomUUID() } }), [400, 404, 422]),
  )
  await D('1 GET /content/status of an unknown id is 404', async () =>
    answers(await api('GET', '/content/status', { query: { requestId: randomUUID() } }), 404),
  )
  const channel = post?.channels?.[0]
  await I('2 one channel per connection', () => equal(need(post, 'no post').channels.length, 1))
  await fields(I, '2 Channel', channel, CHANNEL)
  await fields(I, '2 Channel result', channel?.result, { status: is.oneOf('success'), postUrl: is.httpUrl })
  await D('2 connectionId is 24 hex', () => expect(is.hex24.test(channel?.connectionId), '24 hex', channel?.connectionId))
  await I('2 Channel platform is the start of the slug', () =>
    expect(slug.startsWith(`${channel?.platform}-`), slug, channel?.platform),
  )
  await fields(D, '4 Channel', channel, { id: is.text, connection: is.oneOf(slug) })
  await fields(D, '4 Channel result', channel?.result, {
    postId: is.orNull(is.string),
    publishedAt: is.time,
    error: is.nothing,
    warnings: is.arrayOf(is.any),
    attempts: is.integer,
  })

  const many = await I('4.1 one request, several connections', async () => {
    if (config.connections.length < 2) skip('CONNECTIONS has one entry')
    const done = await settled(
      succeeded(await api('POST', '/content/text', { body: text({ connections: config.connections.slice(0, 3) }) })).uploadId,
    )
    return done
  })
  await I('2 channels: one per target connection', () =>
    equal(need(many, 'no post with several connections').channels.length, Math.min(3, config.connections.length)),
  )
  await D('4 all channels succeed → completed', () => equal(need(many, 'no post with several connections').status, 'completed'))

  const response = await api('POST', '/content/text', { body: text({ async: true }) })
  const fast = await I('4.1 POST /content/text field async', () => succeeded(response))
  await D('1 async create answers 202', () => answers(response, 202))
  await fields(I, '4.1 asynchronous create', fast, {
    success: is.true,
    requestId: is.uuid,
    usage: is.object,
    message: is.string,
    scheduledAt: is.orNull(is.time),
    totalChannels: is.integer,
  })
  await fields(I, '4.1 asynchronous create usage', fast?.usage, USAGE)
  await I('4.1 asynchronous create has no uploadId', () => expect(fast && !('uploadId' in fast), 'no uploadId', fast))
  await I('4.1 asynchronous create totalChannels counts the connections', () => equal(fast?.totalChannels, 1))
  await I('4.1 asynchronous create scheduledAt is null when not scheduled', () => equal(fast?.scheduledAt, null))
  await I('4.1 asynchronous progress by GET /content/status', async () => {
    const done = await settled(need(fast?.requestId, 'no requestId'))
    equal(done.status, 'completed')
    expect(is.hex24.test(done.uploadId), 'uploadId of 24 hex', done.uploadId)
  })
  await I('4.1 asynchronous and scheduled', async () => {
    const when = later()
    const made = succeeded(await api('POST', '/content/text', { body: text({ async: true, scheduledAt: when }) }))
    equal(Date.parse(made.scheduledAt), Date.parse(when))
    equal((await status(made.requestId)).status, 'scheduled')
  })
  await I('4.1 async false is synchronous', async () => {
    expect(
      succeeded(await api('POST', '/content/text', { body: text({ async: false, scheduledAt: later() }) })).uploadId,
      'uploadId',
      'none',
    )
  })

  const saved = await api('POST', '/content/text', { body: text({ saveDraft: true }) })
  await I('4.1 POST /content/text field saveDraft', () => succeeded(saved))
  await fields(I, '4.1 draft create', saved.data, { success: is.true, draftId: is.string })
  await D('2 draftId is 24 hex', () => expect(is.hex24.test(saved.data?.draftId), '24 hex', saved.data?.draftId))
  await D('1 draft create answers 201', () => answers(saved, 201))
  await I('3 saveDraft true → draft', async () => equal((await status(saved.data.draftId)).status, 'draft'))
  await I('3 a draft is not published', async () =>
    expect(
      (await status(saved.data.draftId)).channels.every(({ result }) => result?.status !== 'success'),
      'no success',
      'a published channel',
    ),
  )
  await I('3 saveDraft false publishes or schedules', async () => {
    const made = succeeded(await api('POST', '/content/text', { body: text({ saveDraft: false, scheduledAt: later() }) }))
    equal((await status(made.uploadId)).status, 'scheduled')
  })
}

async function textFields({ I, D, api, text, draft, read, slug, later }) {
  const attempt = (body) => api('POST', '/content/text', { body })
  // Valid cases use drafts, which reach no platform. Invalid cases use scheduled posts, because drafts may be validated less strictly.
  const planned = (more) => attempt(text({ scheduledAt: later(), ...more }))
  const kept = async (id, more, field, wanted = more[field]) => {
    const made = await I(`4.1 POST /content/text ${id} accepted`, () => draft(more))
    await D(`4 GET /content/:id shows ${id}`, async () => equal((await read(need(made, 'no draft')))[field], wanted))
  }
  const bad = async (id, more, path) => {
    const response = await planned(more)
    await I(`4.1 POST /content/text ${id} refused`, () => refused(response))
    await D(`1 POST /content/text ${id} is 422 naming it`, () => names(response, path))
  }

  await bad('without connections', { connections: undefined }, 'connections')
  await bad('with empty connections', { connections: [] }, 'connections')
  await bad('with connections not an array', { connections: slug }, 'connections')
  await bad('with a number in connections', { connections: [7] }, 'connections')
  await bad('with a raw platform name as connection', { connections: [slug.split('-')[0]] }, 'connections')
  await bad('with an unknown slug', { connections: ['nowhere-nobody'] }, 'connections')
  await D('5 an unknown slug is named', async () => {
    const response = await planned({ connections: [slug, 'nowhere-nobody'] })
    answers(response, 422)
    expect(response.text.includes('nowhere-nobody'), 'the slug in the error', response.error)
  })
  await D('5 connections are unique', async () => names(await planned({ connections: [slug, slug] }), 'connections'))
  await D('5 at most 50 connections', async () =>
    names(await planned({ connections: Array.from({ length: 51 }, (_, at) => `x-n${at}`) }), 'connections'),
  )

  await kept('text of 1 character', { text: 'a' }, 'text')
  await kept('text of 25000 characters', { text: 'a'.repeat(25_000) }, 'text')
  await kept('text with emoji, line breaks and right-to-left', { text: 'Grüße 👩‍👩‍👧 \n\nשלום  end' }, 'text')
  await bad('text of 0 characters', { text: '' }, 'text')
  await bad('text of 25001 characters', { text: 'a'.repeat(25_001) }, 'text')
  await bad('text that is no string', { text: 5 }, 'text')
  await D('5 text is required for /content/text', async () => answers(await planned({ text: undefined }), 422))
  await D('5 text may come from platformOptions of every connection', async () => {
    succeeded(await planned({ text: undefined, platformOptions: { [slug]: { text: 'own text' } } }))
  })
  await D('1 NUL bytes are refused', async () => answers(await planned({ text: 'a\u0000b' }), [400, 422]))

  await kept('title', { title: 'A title' }, 'title')
  await bad('title that is no string', { title: {} }, 'title')
  for (const [id, firstComment] of cases([
    ['firstComment string', 'First!'],
    ['firstComment object', { text: 'First!' }],
  ])) {
    const made = await I(`4.1 POST /content/text ${id} accepted`, () => draft({ firstComment }))
    await D(`5 ${id} is kept`, async () => equal(commentText((await read(need(made, 'no draft'))).firstComment), 'First!'))
  }
  await bad('firstComment number', { firstComment: 5 }, 'firstComment')
  await bad('firstComment object without text', { firstComment: {} }, 'firstComment')
  await kept('linkUrl', { linkUrl: 'https://example.com/page?a=1' }, 'linkUrl')
  await bad('linkUrl that is no string', { linkUrl: 5 }, 'linkUrl')
  await kept('timezone', { timezone: 'Europe/Berlin' }, 'timezone')
  await bad('timezone that is no IANA zone', { timezone: 'Mars/Olympus' }, 'timezone')
  await bad('saveDraft that is no boolean', { saveDraft: 'yes' }, 'saveDraft')
  await bad('async that is no boolean', { async: 'yes' }, 'async')
  await kept('contentFormat', { contentFormat: 'text' }, 'contentFormat')
  await bad('contentFormat that is no string', { contentFormat: 5 }, 'contentFormat')
  await D('5 unknown contentFormat is 422', async () => names(await planned({ contentFormat: 'hologram' }), 'contentFormat'))
  await kept('platformOptions', { platformOptions: { [slug]: { text: 'for this one' } } }, 'platformOptions')
  await bad('platformOptions that is no map', { platformOptions: [1] }, 'platformOptions')
  await D('5 platformOptions keys are connection slugs', async () =>
    names(await planned({ platformOptions: { 'nowhere-nobody': { text: 'x' } } }), 'platformOptions'),
  )
  await D('1 POST /content/text unknown field is 422 naming it', async () => names(await planned({ surprise: 1 }), 'surprise'))
  await D('1 POST /content/text field status of the record is refused', async () =>
    answers(await planned({ status: 'completed' }), 422),
  )
  await D('1 POST /content/text malformed JSON is 400', async () =>
    answers(await api('POST', '/content/text', { raw: '{"text":', type: 'application/json' }), 400),
  )
  await D('1 POST /content/text other media type is 415', async () =>
    answers(await api('POST', '/content/text', { raw: 'text=a', type: 'text/plain' }), 415),
  )
  await D('1 POST /content/text body that is no object is refused', async () => answers(await attempt([1]), [400, 422]))
}

async function scheduling({ I, D, text, api, read, status, settled, later, draft }) {
  const planned = (more) => api('POST', '/content/text', { body: text(more) })
  const when = later()
  const made = await I('4.1 POST /content/text field scheduledAt', async () => succeeded(await planned({ scheduledAt: when })))
  await I('3 scheduledAt set → scheduled', async () => equal((await status(need(made, 'no post').uploadId)).status, 'scheduled'))
  await D('4 scheduledAt is shown as given', async () =>
    equal(Date.parse((await read(need(made, 'no post').uploadId)).scheduledAt), Date.parse(when)),
  )
  await I('4.1 scheduledAt that is no date refused', async () => refused(await planned({ scheduledAt: 'tomorrow' })))
  await I('4.1 scheduledAt that is no string refused', async () => refused(await planned({ scheduledAt: 1700000000 })))
  await D('5 scheduledAt that is no date is 422', async () =>
    names(await planned({ scheduledAt: '2027-13-45T99:00:00Z' }), 'scheduledAt'),
  )
  await D('5 scheduledAt an hour ago is 422', async () =>
    names(await planned({ scheduledAt: new Date(Date.now() - 3_600_000).toISOString() }), 'scheduledAt'),
  )
  await D('5 scheduledAt more than 5 years ahead is 422', async () =>
    names(await planned({ scheduledAt: later(5 * 366 + 2) }), 'scheduledAt'),
  )
  await D('5 scheduledAt 30 s ago means now', async () => {
    const now = succeeded(await planned({ scheduledAt: new Date(Date.now() - 30_000).toISOString() }))
    equal((await settled(now.uploadId)).status, 'completed')
  })
  await D('5 wall time without timezone is 422', async () => answers(await planned({ scheduledAt: when.slice(0, 19) }), 422))
  const year = new Date(Date.now() + DAY_MS * 400).getUTCFullYear()
  for (const [id, body, instant] of cases([
    [
      'wall time in a summer zone',
      { scheduledAt: `${year}-07-01T12:00:00`, timezone: 'Europe/Berlin' },
      `${year}-07-01T10:00:00.000Z`,
    ],
    [
      'wall time in a winter zone',
      { scheduledAt: `${year + 1}-01-15T12:00:00`, timezone: 'Europe/Berlin' },
      `${year + 1}-01-15T11:00:00.000Z`,
    ],
    [
      'an offset is an instant whatever the zone',
      { scheduledAt: `${year}-07-01T12:00:00+05:30`, timezone: 'America/New_York' },
      `${year}-07-01T06:30:00.000Z`,
    ],
  ]))
    await D(`5 scheduledAt ${id}`, async () => equal((await read(succeeded(await planned(body)).uploadId)).scheduledAt, instant))
  await I('3 saveDraft with scheduledAt stays a draft', async () =>
    equal((await status(await draft({ scheduledAt: when }))).status, 'draft'),
  )
}

async function photos({ I, D, api, text, draft, read, media, file, config, settled, later, slug, receiver, mark }) {
  const saved = await I('4.1 POST /content/photos field medias by library id', async () =>
    draft({ medias: [(await media.png()).id] }, 'photos'),
  )
  const post = await D('4 GET /content/:id of photos', async () => read(need(saved, 'no draft')))
  await I('2 Post type photo', async () => equal(need(post, 'no post').type, 'photo'))
  await D('4 medias refer to the library item', async () =>
    expect(show(need(post, 'no post').medias).includes((await media.png()).id), 'the media id', post?.medias),
  )
  await I('4.1 POST /content/photos contentFormat photo_carousel', async () => {
    const id = await draft(
      { medias: [(await media.png()).id, (await media.jpeg()).id], contentFormat: 'photo_carousel' },
      'photos',
    )
    equal((await read(id)).medias.length, 2)
  })
  await D('5 order of medias is kept', async () => {
    const ids = [(await media.jpeg()).id, (await media.png()).id]
    const shown = (await read(await draft({ medias: ids }, 'photos'))).medias.map((entry) => entry.id ?? entry.mediaId ?? entry)
    equal(shown, ids)
  })
  const connections = config.photoConnections.length ? config.photoConnections.slice(0, 1) : [slug]
  const planned = async (more) => api('POST', '/content/photos', { body: text({ connections, scheduledAt: later(), ...more }) })
  await I('4.1 POST /content/photos medias that is no array refused', async () =>
    refused(await planned({ medias: (await media.png()).id })),
  )
  await I('4.1 POST /content/photos medias entry neither id nor URL refused', async () =>
    refused(await planned({ medias: ['picture.png'] })),
  )
  await D('5 POST /content/photos without medias is 422', async () => answers(await planned({}), 422))
  await D('5 POST /content/photos with 21 medias is 422', async () =>
    answers(await planned({ medias: Array(21).fill((await media.png()).id) }), 422),
  )
  await D('5 POST /content/photos with an unknown library id is refused', async () =>
    answers(await planned({ medias: ['0123456789abcdef01234567'] }), [404, 422]),
  )
  await D('5 POST /content/photos with a PDF is 422', async () =>
    answers(await planned({ medias: [(await media.pdf()).id] }), 422),
  )
  await D('1 POST /content/photos unknown field is 422', async () =>
    names(await planned({ medias: [(await media.png()).id], surprise: 1 }), 'surprise'),
  )

  const common = [
    ['text', `${mark} multipart`],
    ['saveDraft', 'true'],
  ]
  const multipart = await I('4.1 POST /content/photos multipart with repeated medias[]', async () => {
    const form = formOf(
      ...connections.map((entry) => ['connections[]', entry]),
      ...common,
      ['medias[]', file('png')],
      ['medias[]', file('jpeg')],
    )
    return succeeded(await api('POST', '/content/photos', { form })).draftId
  })
  await I('4.1 multipart stores every medias[] entry', async () => {
    const stored = await read(need(multipart, 'no draft'))
    equal(stored.medias.length, 2)
    expect(stored.text.includes(mark), 'the text part', stored.text)
  })
  await D('5 multipart connections as one JSON part, ids and files mixed', async () => {
    const form = formOf(
      ['connections', connections],
      ...common,
      ['platformOptions', { [connections[0]]: { text: 'own' } }],
      ['medias[]', (await media.png()).id],
      ['medias[]', file('jpeg')],
    )
    const stored = await read(succeeded(await api('POST', '/content/photos', { form })).draftId)
    equal(stored.medias.length, 2)
    equal(stored.platformOptions?.[connections[0]]?.text, 'own')
  })
  await I('4.1 POST /content/photos medias by absolute URL', async () => {
    if (!receiver) skip('WEBHOOK_HOST is not set, so there is no place to serve a picture from')
    const picture = file('png')
    receiver.serve(`/${picture.name}`, picture)
    const id = await draft({ medias: [receiver.plainUrl(`/${picture.name}`)] }, 'photos')
    equal((await read(id)).medias.length, 1)
  })
  await I('4.1 POST /content/photos publishes', async () => {
    if (!config.photoConnections.length) skip('PHOTO_CONNECTIONS is not set')
    const made = succeeded(
      await api('POST', '/content/photos', { body: text({ connections, medias: [(await media.jpeg()).id] }) }),
    )
    const done = await settled(made.uploadId, 40_000)
    equal([done.status, done.type], ['completed', 'photo'])
  })
  await I('4.1 POST /content/photos async', async () => {
    const made = succeeded(
      await planned({
        medias: [(await media.png()).id],
        async: true,
        ...(config.photoConnections.length ? {} : skip('PHOTO_CONNECTIONS is not set')),
      }),
    )
    expect(!('uploadId' in made) && made.requestId, 'requestId without uploadId', made)
  })
}

async function video({ I, D, api, text, draft, read, media, config, settled, later, slug }) {
  const connections = config.videoConnections.length ? config.videoConnections.slice(0, 1) : [slug]
  const planned = async (more) => api('POST', '/content/video', { body: text({ connections, scheduledAt: later(), ...more }) })
  const saved = await I('4.1 POST /content/video one entry in medias', async () =>
    draft({ medias: [(await media.mp4()).id] }, 'video'),
  )
  await I('2 Post type video', async () => equal((await read(need(saved, 'no draft'))).type, 'video'))
  await I('4.1 POST /content/video contentFormat short_video', async () => {
    await draft({ medias: [(await media.mp4()).id], contentFormat: 'short_video' }, 'video')
  })
  for (const [id, make] of cases([
    ['no', () => []],
    ['two', async () => [(await media.mp4()).id, (await media.mp4()).id]],
    ['two different', async () => [(await media.png()).id, (await media.jpeg()).id]],
  ])) {
    const response = await planned({
      medias: await Promise.resolve()
        .then(make)
        .catch(() => ['0123456789abcdef01234567', '0123456789abcdef01234568']),
    })
    await I(`8 POST /content/video with ${id} medias entries refused`, () => refused(response))
    await D(`1 POST /content/video with ${id} medias entries is 422 naming medias`, () => names(response, 'medias'))
  }
  await I('8 POST /content/video without medias refused', async () => refused(await planned({})))
  await D('5 POST /content/video with a picture is 422', async () =>
    answers(await planned({ medias: [(await media.png()).id] }), 422),
  )
  await I('4.1 POST /content/video publishes', async () => {
    if (!config.videoConnections.length) skip('VIDEO_CONNECTIONS is not set')
    const made = succeeded(await api('POST', '/content/video', { body: text({ connections, medias: [(await media.mp4()).id] }) }))
    const done = await settled(made.uploadId, 60_000)
    equal([done.status, done.type], ['completed', 'video'])
  })
}

async function document({ I, D, api, text, draft, read, media, config, settled, later, slug }) {
  const connections = config.documentConnections.length ? config.documentConnections.slice(0, 1) : [slug]
  const planned = async (more) => api('POST', '/content/document', { body: text({ connections, scheduledAt: later(), ...more }) })
  const saved = await I('4.1 POST /content/document stores a PDF', async () =>
    draft({ medias: [(await media.pdf()).id], title: 'Paper' }, 'document'),
  )
  await I('2 Post type document', async () => equal((await read(need(saved, 'no draft'))).type, 'document'))
  await D('5 document title is kept', async () => equal((await read(need(saved, 'no draft'))).title, 'Paper'))
  await D('5 document title defaults to the file name', async () => {
    const { id, sent } = await media.pdf()
    const { title } = await read(await draft({ medias: [id] }, 'document'))
    expect(title && sent.name.startsWith(title), sent.name, title)
  })
  await D('5 POST /content/document without medias is 422', async () => answers(await planned({}), 422))
  await D('5 POST /content/document with two medias is 422', async () =>
    answers(await planned({ medias: Array(2).fill((await media.pdf()).id) }), 422),
  )
  await D('5 POST /content/document with a picture is 422', async () =>
    answers(await planned({ medias: [(await media.png()).id] }), 422),
  )
  await I('4.1 POST /content/document publishes', async () => {
    if (!config.documentConnections.length) skip('DOCUMENT_CONNECTIONS is not set')
    const made = succeeded(
      await api('POST', '/content/document', { body: text({ connections, medias: [(await media.pdf()).id], title: 'Paper' }) }),
    )
    const done = await settled(made.uploadId, 40_000)
    equal([done.status, done.type], ['completed', 'document'])
  })
}

async function validate({ D, api, text, slug, mark }) {
  const total = async () => succeeded(await api('GET', '/content', { query: { archived: 'any', limit: 1 } })).meta.total
  await D('6 POST /content/validate gives a verdict per connection and stores nothing', async () => {
    const before = await total()
    const verdict = succeeded(await api('POST', '/content/validate', { body: { ...text(), type: 'text' } }), 200)
    expect(show(verdict).includes(slug), `a verdict for ${slug}`, verdict)
    equal(await total(), before)
  })
  await D('6 POST /content/validate unknown type is 422', async () =>
    answers(await api('POST', '/content/validate', { body: { ...text(), type: 'opera' } }), 422),
  )
  await D('6 POST /content/validate unknown field is 422', async () =>
    answers(await api('POST', '/content/validate', { body: { ...text(), type: 'text', surprise: mark } }), 422),
  )
}
