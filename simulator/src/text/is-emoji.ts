/** A grapheme shown as a picture: an emoji of its own, a keycap, a flag, or a sign turned into one by U+FE0F. */
export function isEmoji(grapheme: string): boolean {
  return /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[#*0-9]\uFE0F?\u20E3|\p{Regional_Indicator}{2}/u.test(grapheme)
}
