import type { HandleKind, Manifest } from '../../contract/src/manifest.ts'

/** What happens when the response of the platform is lost, by kind of handle. */
export const handleSentences: Readonly<Record<HandleKind, string>> = {
  key: `Kind: \`key\`. Carillon chooses an id for every post, and the platform refuses a second post with the same id. If its response is lost,
Carillon can safely send the post again: there will be only one.`,
  reference: `Kind: \`reference\`. The platform returns an id before the step that publishes, and reports the state of that id later. If its response is
lost, Carillon requests the state and does not send again.`,
  readback: `Kind: \`readback\`. The platform has no id by which a request could be recognised. If its response is lost, Carillon reads the account's newest
posts and looks for this one. If that does not show whether the post exists, the channel becomes \`unconfirmed\` and a person must decide: see
[\`outcome_unknown\`](../errors/outcome_unknown.md).`,
  none: `Kind: \`none\`. If the platform's response is lost, no program can find out whether the post exists. Carillon never sends it again by itself:
the channel becomes \`unconfirmed\` and a person must decide. See [\`outcome_unknown\`](../errors/outcome_unknown.md).`,
}

type Feature = keyof Manifest['can']

const sentences: Readonly<Record<Feature, { yes: string; no: string }>> = {
  firstComment: {
    yes: 'A first comment can follow the post.',
    no: 'No first comment; a given one is left out, with a warning.',
  },
  thread: { yes: 'Further posts can follow as a thread.', no: 'No threads; a post with further posts is refused.' },
  title: { yes: 'Posts have a title.', no: 'No title; a given one is left out, with a warning.' },
  linkUrl: { yes: 'A link can be attached.', no: 'No field for a link; a given one is added after the text.' },
  remove: {
    yes: 'A published post can be removed through Carillon.',
    no: 'A published post can be removed only on the platform itself.',
  },
  metrics: { yes: 'Provides metrics for analytics.', no: 'Provides no metrics for analytics.' },
}

const cardSentence = 'A link without files becomes a card with the title, the description and the picture of its page.'

export function describeFeatures({ can, linkCard, aiLabel, mixedCarousel, handover }: Manifest): {
  can: string[]
  cannot: string[]
} {
  const found: { can: string[]; cannot: string[] } = { can: [], cannot: [] }
  let feature: Feature
  for (feature in sentences) {
    if (can[feature]) found.can.push(sentences[feature].yes)
    else found.cannot.push(sentences[feature].no)
  }
  if (linkCard) found.can.push(cardSentence)
  if (mixedCarousel) found.can.push('Videos can stand among several photos.')
  if (handover)
    found.can.push(
      `With \`${handover.setting}: ${handover.value}\` a post is put into the inbox of the app, where a person finishes it within ${handover.hours} hours: ` +
        `[how](../guides/publishing.md#posts-that-a-person-finishes-in-the-app).`,
    )
  if (aiLabel)
    found.can.push(
      `\`aiGenerated\` labels posts as made with AI: ${aiLabel.formats.map((format) => `\`${format}\``).join(', ')}.`,
    )
  else found.cannot.push('No label for posts made with AI; `aiGenerated` has a warning.')
  return found
}
