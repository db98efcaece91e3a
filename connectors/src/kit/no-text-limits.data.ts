/** Text rules without any limit but the length. */
export const noTextLimits = {
  maxWithPhotos: null,
  maxWithFiles: null,
  linkCost: null,
  shortMentions: false,
  bytesMax: null,
  linksMax: null,
  hashtagsMax: null,
  mentionsMax: null,
  cashtagsMax: null,
  countedSettings: [],
} as const
