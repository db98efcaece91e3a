/**
 * Meta documents that an emoji counts as its UTF-8 bytes. Every other character does, too: 498 characters with three curly apostrophes were
 * refused as longer than 500 (github.com/gitroomhq/postiz-app pull request 1946).
 */
export function countText(text: string): number {
  return Buffer.byteLength(text)
}
