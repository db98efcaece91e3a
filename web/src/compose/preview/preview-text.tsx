import { findLinks } from '@carillon/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A text with its links and mentions marked, folded where the platform folds it. */
export function PreviewText({ text, foldAt }: { text: string; foldAt: number | null }) {
  const { t } = useTranslation('compose')
  const [isOpen, setIsOpen] = useState(false)
  const isFolded = foldAt !== null && !isOpen && text.length > foldAt
  return (
    <p className="text-base whitespace-pre-wrap wrap-anywhere">
      <MarkedText text={isFolded ? text.slice(0, foldAt).trimEnd() : text} />
      {isFolded && (
        <button type="button" className="min-h-6 text-quiet hover:underline" onClick={() => setIsOpen(true)}>
          … {t('preview.more')}
        </button>
      )}
    </p>
  )
}

function MarkedText({ text }: { text: string }) {
  const pieces: { from: number; text: string; isMarked: boolean }[] = []
  let at = 0
  for (const { start, end } of findMarks(text)) {
    if (start < at) continue
    pieces.push(
      { from: at, text: text.slice(at, start), isMarked: false },
      { from: start, text: text.slice(start, end), isMarked: true },
    )
    at = end
  }
  pieces.push({ from: at, text: text.slice(at), isMarked: false })
  return pieces.map(({ from, text: piece, isMarked }) => (
    <span key={`${from} ${isMarked}`} className={isMarked ? 'text-bell' : ''}>
      {piece}
    </span>
  ))
}

const tag = /(?<![^\s(])[@#][\p{L}\p{N}_][\p{L}\p{N}_.@-]*/gu

function findMarks(text: string): { start: number; end: number }[] {
  const tags = [...text.matchAll(tag)].map((match) => ({ start: match.index, end: match.index + match[0].length }))
  return [...findLinks(text, { bare: true }), ...tags].toSorted((a, b) => a.start - b.start)
}
