type Link = { start: number; end: number; text: string }

/** Common top-level domains. A host name without `http://` counts as a link only under one of these. */
const commonDomains =
  'com|org|net|edu|gov|info|biz|io|dev|app|ai|co|me|tv|fm|gg|ly|to|xyz|blog|shop|store|news|site|online|tech|social|cloud|live|link' +
  '|world|eu|uk|us|ca|de|fr|es|it|pt|nl|be|ch|at|pl|cz|se|no|fi|dk|ie|ru|ua|tr|gr|in|jp|cn|kr|tw|hk|sg|id|th|vn|my|ph|au|nz|br|mx' +
  '|ar|cl|za|ng|ke|il|ae'

// Labels and tails are bounded by their own character classes, so no input causes catastrophic backtracking.
const label = String.raw`[\p{L}\p{N}][\p{L}\p{N}_\-]{0,62}\.`
const port = String.raw`(?::\d{1,5})?`
// Latin and Cyrillic only: Japanese text that directly follows a URL is not part of it.
const tail = String.raw`(?:[\/?][\p{Script=Latin}\p{Script=Cyrillic}\p{Nd}!*'();:=+,.$\/%#\[\]\-–_~@\|&?]*)?`
const before = String.raw`(?<![\p{Script=Latin}\p{N}_@＠$#＃.\-\/])`
const after = String.raw`(?![a-z0-9@_\-])`
const anyDomain = String.raw`(?:xn--[a-z0-9\-]{2,59}|[a-z]{2,63}|рф|укр|бел|срб|中国|中國|한국|みんな)`

const withScheme = new RegExp(`${before}https?:\\/\\/(?:${label})+${anyDomain}${after}${port}${tail}`, 'giu')
const withOptionalScheme = new RegExp(
  `${before}(?:https?:\\/\\/(?:${label})+${anyDomain}|(?:${label})+(?:${commonDomains}))${after}${port}${tail}`,
  'giu',
)

/** Finds the links in a text the way platforms with link shorteners do. `bare` also finds `example.com` without a scheme. */
export function findLinks(text: string, { bare = false }: { bare?: boolean } = {}): Link[] {
  const links: Link[] = []
  for (const match of text.matchAll(bare ? withOptionalScheme : withScheme)) {
    const link = trimTrailingPunctuation(match[0])
    links.push({ start: match.index, end: match.index + link.length, text: link })
  }
  return links
}

/** Cuts off punctuation that belongs to the sentence: a final full stop, or a closing bracket that the link did not open. */
function trimTrailingPunctuation(link: string): string {
  let end = link.length
  let open = countUnclosed(link, '(', ')')
  let openSquare = countUnclosed(link, '[', ']')
  for (; end > 0; end--) {
    const last = link.charAt(end - 1)
    if (last === ')' && open < 0) open++
    else if (last === ']' && openSquare < 0) openSquare++
    else if (!".,;:!?'([".includes(last)) break
  }
  return link.slice(0, end)
}

function countUnclosed(text: string, opening: string, closing: string): number {
  let sum = 0
  for (const character of text) {
    if (character === opening) sum++
    else if (character === closing) sum--
  }
  return sum
}
