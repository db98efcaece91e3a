import { isFields, textOf, textsOf, type Fields } from '../../http/fields.ts'
import type { Description } from '../../platform.ts'
import { refuseWith } from './errors.ts'

const titleMax = 100
const descriptionBytesMax = 5000
const tagsMax = 500
const privacies = ['public', 'unlisted', 'private']
/** The categories that a video can have everywhere (videoCategories.list). */
const categories = ['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29']

export const partOf = (fields: Fields | undefined, name: string): Fields => {
  const value = fields?.[name]
  return isFields(value) ? value : {}
}

/** Checks the metadata of a video, which YouTube does when an upload is opened. */
export function checkResource(resource: Fields): void {
  const snippet = partOf(resource, 'snippet')
  const { privacyStatus, publishAt } = partOf(resource, 'status')
  const title = textOf(snippet['title']) ?? ''
  const description = textOf(snippet['description']) ?? ''
  if (title.trim() === '' || title.length > titleMax || /[<>]/.test(title))
    throw refuseWith(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.')
  if (Buffer.byteLength(description) > descriptionBytesMax || /[<>]/.test(description))
    throw refuseWith(400, 'invalidDescription', 'The request metadata specifies an invalid video description.')
  if (lengthOfTags(textsOf(snippet['tags'])) > tagsMax)
    throw refuseWith(400, 'invalidTags', 'The request metadata specifies invalid video keywords.')
  const category = textOf(snippet['categoryId'])
  if (category !== undefined && !categories.includes(category))
    throw refuseWith(400, 'invalidCategoryId', 'The snippet.categoryId property specifies an invalid category ID.')
  if (privacyStatus !== undefined && !privacies.includes(textOf(privacyStatus) ?? ''))
    throw refuseWith(400, 'invalidVideoMetadata', 'The request metadata is invalid.')
  if (publishAt !== undefined && privacyStatus !== 'private')
    throw refuseWith(400, 'invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.')
}

/** A tag with a space counts with the quotes that YouTube puts around it, and there is a comma between two. */
function lengthOfTags(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (tag.includes(' ') ? 2 : 0), Math.max(0, tags.length - 1))
}

export function describeResource(resource: Fields): Description {
  const privacy = textOf(partOf(resource, 'status')['privacyStatus'])
  return {
    title: textOf(partOf(resource, 'snippet')['title']),
    // On another platform this word means the followers.
    visibility: privacy === 'private' ? 'Only the author' : privacy,
    hidden: ['snippet.title', 'snippet.description', 'status.privacyStatus'],
  }
}
