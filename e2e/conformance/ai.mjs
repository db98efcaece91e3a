import { answers, cases, equal, expect, fields, is, names, need, skip, succeeded } from './lib.mjs'

const UPLOAD_TYPES = ['text', 'photo', 'video', 'document']
const TONES = ['professional', 'casual', 'humorous', 'inspirational', 'informative']

export async function ai({ I, D, api, config, endpoints }) {
  const platforms = [...new Set(config.connections.map((slug) => slug.split('-')[0]))]
  const status = await I('4.3 GET /ai/status', async () => succeeded(await api('GET', '/ai/status')))
  await fields(I, '4.3 GET /ai/status', status, { available: is.boolean, model: is.string })
  const generate = (more) =>
    api('POST', '/ai/generate-content', {
      body: { uploadType: 'text', platforms, text: 'Our bakery opens a second shop on Monday.', ...more },
    })
  const suggest = (more) =>
    api('POST', '/ai/suggest-hashtags', { body: { text: 'Fresh bread from our bakery', platforms, ...more } })

  if (!status?.available) {
    for (const [path, call] of cases([
      ['generate-content', generate],
      ['suggest-hashtags', suggest],
    ])) {
      const response = await call()
      await I(`4.3 POST /ai/${path} refused while not available`, () => answers(response, [402, 403, 503]))
      await D(`8 POST /ai/${path} is 403 plan_required or 503 ai_unavailable`, () => {
        answers(response, [403, 503])
        equal(response.error?.code, response.status === 403 ? 'plan_required' : 'ai_unavailable')
        if (response.status === 403) equal(response.error.action, 'upgrade_plan')
        else expect(response.headers.has('retry-after'), 'Retry-After', 'none')
      })
    }
    await I('4.3 shapes of generated content', () => skip('GET /ai/status says available: false'))
    return endpoints(4.3)
  }

  // One call for each tone, with the upload types spread over them, all at the same time, because generating is slow.
  const calls = await Promise.all(
    TONES.map((tone, at) =>
      generate({
        tone,
        uploadType: UPLOAD_TYPES[at % 4],
        title: 'News',
        description: 'A local bakery',
        brandVoice: 'warm and plain',
      }).catch(String),
    ),
  )
  for (const [at, tone] of TONES.entries()) {
    await I(`4.3 POST /ai/generate-content uploadType ${UPLOAD_TYPES[at % 4]}, tone ${tone}`, () => {
      const { content } = succeeded(calls[at])
      expect(is.object.test(content), 'content: a map', content)
      equal(Object.keys(content).toSorted(), [...platforms].toSorted())
      expect(Object.values(content).every(is.text.test), 'a caption for each platform', content)
    })
  }
  await I('4.3 POST /ai/generate-content needs only uploadType and platforms', async () => {
    expect(
      is.object.test(succeeded(await api('POST', '/ai/generate-content', { body: { uploadType: 'photo', platforms } })).content),
      'content',
      '',
    )
  })
  for (const [id, more, path] of cases([
    ['without uploadType', { uploadType: undefined }, 'uploadType'],
    ['with another uploadType', { uploadType: 'opera' }, 'uploadType'],
    ['without platforms', { platforms: undefined }, 'platforms'],
    ['with platforms not an array', { platforms: 'x' }, 'platforms'],
    ['with another tone', { tone: 'angry' }, 'tone'],
    ['with text that is no string', { text: 7 }, 'text'],
    ['with title that is no string', { title: 7 }, 'title'],
    ['with description that is no string', { description: 7 }, 'description'],
    ['with brandVoice that is no string', { brandVoice: 7 }, 'brandVoice'],
  ])) {
    const response = await generate(more)
    await I(`4.3 POST /ai/generate-content ${id} refused`, () => answers(response, [400, 422]))
    await D(`1 POST /ai/generate-content ${id} is 422 naming ${path}`, () => names(response, path))
  }
  await D('1 POST /ai/generate-content unknown field is 422', async () => names(await generate({ surprise: 1 }), 'surprise'))

  const tags = await I('4.3 POST /ai/suggest-hashtags', async () =>
    succeeded(await suggest({ count: 3, existingHashtags: ['#bread'] })),
  )
  await I('4.3 POST /ai/suggest-hashtags answers an array', () => expect(Array.isArray(tags), 'array', tags))
  await fields(I, '4.3 POST /ai/suggest-hashtags entry', tags?.[0], { platform: is.platform, hashtags: is.arrayOf(is.text) })
  await I('4.3 POST /ai/suggest-hashtags one entry per platform', () =>
    equal(
      need(tags, 'no answer')
        .map(({ platform }) => platform)
        .toSorted(),
      [...platforms].toSorted(),
    ),
  )
  const plain = (tag) => tag.replace(/^#/, '').toLowerCase()
  await D('8 hashtags: at most count, no duplicates, none that exist', () => {
    for (const { hashtags } of need(tags, 'no answer')) {
      expect(
        hashtags.length <= 3 && new Set(hashtags.map(plain)).size === hashtags.length && !hashtags.map(plain).includes('bread'),
        '≤ 3, unique, without bread',
        hashtags,
      )
    }
  })
  await D('8 hashtags: default count 5', async () => {
    for (const { hashtags } of succeeded(await suggest()))
      expect(hashtags.length <= 5 && hashtags.length > 0, '1 to 5', hashtags.length)
  })
  for (const [id, more, path] of cases([
    ['without text', { text: undefined }, 'text'],
    ['without platforms', { platforms: undefined }, 'platforms'],
    ['count 0', { count: 0 }, 'count'],
    ['count 31', { count: 31 }, 'count'],
    ['count 2.5', { count: 2.5 }, 'count'],
    ['existingHashtags not an array', { existingHashtags: 'x' }, 'existingHashtags'],
  ]))
    await D(`8 POST /ai/suggest-hashtags ${id} is 422`, async () => names(await suggest(more), path))
  await endpoints(4.3)
}
