import type { HandleKind, Manifest } from '../../contract/src/manifest.ts'

/** What a lost answer means to the person who posted. */
export const handleWords: Readonly<Record<HandleKind, string>> = {
  key: `Kind: \`key\`. Every post carries an id that Carillon chooses, and the platform refuses to make a second post with the same id. If its answer
is lost on the way, Carillon can safely send again: there will be one post.`,
  reference: `Kind: \`reference\`. The platform hands out an id before the step that publishes, and can be asked later what became of it. If its answer is
lost, Carillon asks and does not send again.`,
  readback: `Kind: \`readback\`. The platform gives nothing to recognise a send by. If its answer is lost, Carillon reads the account's newest posts and
looks for this one. Only when that cannot be told either does the channel end as \`unconfirmed\`, and then it waits for a person: see
[\`outcome_unknown\`](../errors/outcome_unknown.md).`,
  none: `Kind: \`none\`. If the platform's answer is lost, nobody can tell by program whether the post is there. Carillon never sends it again by itself: the
channel ends as \`unconfirmed\` and waits for a person. See [\`outcome_unknown\`](../errors/outcome_unknown.md).`,
}

type Ability = keyof Manifest['can']

const sentences: Readonly<Record<Ability, { yes: string; no: string }>> = {
  firstComment: {
    yes: 'A first comment can follow the post.',
    no: 'No first comment; one that is given is left out, with a warning.',
  },
  title: { yes: 'Posts have a title.', no: 'No title; one that is given is left out, with a warning.' },
  linkUrl: { yes: 'A link can be attached.', no: 'No field for a link; one that is given follows the text.' },
  remove: {
    yes: 'A published post can be removed through Carillon.',
    no: 'A published post can be removed only on the platform itself.',
  },
  metrics: { yes: 'Gives figures for analytics.', no: 'Gives no figures for analytics.' },
}

export function abilities({ can }: Manifest): { can: string[]; cannot: string[] } {
  const found: { can: string[]; cannot: string[] } = { can: [], cannot: [] }
  let ability: Ability
  for (ability in sentences) {
    if (can[ability]) found.can.push(sentences[ability].yes)
    else found.cannot.push(sentences[ability].no)
  }
  return found
}
