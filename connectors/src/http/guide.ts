import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-18',
  summary: {
    en: 'Nothing to set up. Whoever can answer an HTTP request makes a target of their own: an intranet, a newsletter, a workflow of n8n.',
    de: 'Nichts einzurichten. Wer eine HTTP-Anfrage beantworten kann, macht daraus ein eigenes Ziel: ein Intranet, ein Newsletter, ein Ablauf in n8n.',
  },
  facts: {
    who: { en: 'Everybody who runs a receiver', de: 'Alle, die einen Empfänger betreiben' },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: { en: 'The receiver gets another secret.', de: 'Der Empfänger bekommt ein anderes Geheimnis.' },
  },
  app: null,
  steps: [
    {
      title: { en: 'Write a receiver', de: 'Empfänger schreiben' },
      text: [
        {
          en: 'It answers at one address. GET returns its declaration, in the least `{"carillon": 1}`. POST publishes the post that it contains and returns `{"postId": "…", "postUrl": "…"}`.',
          de: 'Er antwortet unter einer Adresse. GET liefert seine Erklärung, mindestens `{"carillon": 1}`. POST veröffentlicht den Beitrag, den es enthält, und liefert `{"postId": "…", "postUrl": "…"}`.',
        },
        {
          en: 'The folder `examples/receivers` has one in Node and one in Python, each of about 60 lines. The guide “A platform of your own” describes every field.',
          de: 'Im Ordner `examples/receivers` liegt je einer für Node und Python mit rund 60 Zeilen. Die Anleitung „A platform of your own“ beschreibt jedes Feld.',
        },
      ],
    },
    {
      title: { en: 'Choose a secret', de: 'Geheimnis wählen' },
      text: [
        {
          en: 'Any text of 16 characters or more. It signs every request and is never sent. Whoever has it can publish at the receiver.',
          de: 'Ein beliebiger Text ab 16 Zeichen. Er signiert jede Anfrage und wird nie gesendet. Wer ihn hat, kann beim Empfänger veröffentlichen.',
        },
      ],
    },
    {
      title: { en: 'Test it', de: 'Prüfen' },
      text: [
        {
          en: '`carillon connector-test https://intranet.example/posts` sends test posts and says what the receiver keeps and what it does not.',
          de: '`carillon connector-test https://intranet.example/posts` sendet Testbeiträge und sagt, was der Empfänger einhält und was nicht.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the secret, and as the server the whole address of the receiver, with its path.',
          de: 'Gib das Geheimnis ein und als Server die ganze Adresse des Empfängers mit ihrem Pfad.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The receiver refused the signature', de: 'Der Empfänger hat die Signatur abgelehnt' },
      cure: {
        en: 'Both sides need the same secret, and clocks that differ by less than five minutes. The signature covers the bytes of the body as they arrive, before anything parses them.',
        de: 'Beide Seiten brauchen dasselbe Geheimnis und Uhren, die um weniger als fünf Minuten abweichen. Die Signatur gilt für die Bytes des Inhalts, wie sie ankommen, bevor etwas sie einliest.',
      },
    },
    {
      sign: { en: 'A post is unconfirmed', de: 'Ein Beitrag ist unbestätigt' },
      cure: {
        en: 'The answer was lost or had no `postId`, and the receiver does not declare `"keys": true`. Look there, then say whether the post exists.',
        de: 'Die Antwort ging verloren oder hatte keine `postId`, und der Empfänger erklärt nicht `"keys": true`. Sieh dort nach und sag dann, ob es den Beitrag gibt.',
      },
    },
    {
      sign: { en: 'The address is refused', de: 'Die Adresse wird abgelehnt' },
      cure: {
        en: 'Private addresses are called only if the operator allows their network with `CARILLON_EGRESS_ALLOW`.',
        de: 'Private Adressen werden nur gerufen, wenn der Betreiber ihr Netz mit `CARILLON_EGRESS_ALLOW` erlaubt.',
      },
    },
  ],
  sources: [
    { url: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md', on: '2026-11-18' },
  ],
}
