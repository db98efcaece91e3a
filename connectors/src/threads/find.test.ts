import { expect, test } from 'vitest'
import { compareThread } from './find.ts'

const draft = { format: 'text', text: 'Bells', linkUrl: null, replyTo: null } as const
const linked = { ...draft, linkUrl: 'https://a.example/one' }

/** Guarantee: a post is ours only if its text, its attached link and the post replied to are. */
test.for([
  { name: 'the same text', sent: draft, shown: { text: 'Bells' }, match: 'same' },
  { name: 'the same link', sent: linked, shown: { text: 'Bells', link_attachment_url: 'https://a.example/one' }, match: 'same' },
  { name: 'another link', sent: linked, shown: { text: 'Bells', link_attachment_url: 'https://a.example/two' }, match: 'maybe' },
  { name: 'no link', sent: linked, shown: { text: 'Bells' }, match: 'maybe' },
  {
    name: 'beside media there is no link',
    sent: { ...linked, format: 'photo' as const },
    shown: { text: 'Bells' },
    match: 'same',
  },
  { name: 'a reply', sent: draft, shown: { text: 'Bells', replied_to: { id: '1' } }, match: 'other' },
  {
    name: 'our reply',
    sent: { ...draft, replyTo: { postId: '1' } },
    shown: { text: 'Bells', replied_to: { id: '1' } },
    match: 'same',
  },
  { name: 'another text', sent: draft, shown: { text: 'Towers' }, match: 'other' },
])('$name', ({ sent, shown, match }) => {
  expect(compareThread(sent, shown)).toBe(match)
})
