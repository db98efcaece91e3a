import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Nothing to set up. Everybody connects with an API key of their own account.',
    de: 'Nichts einzurichten. Alle verbinden sich mit einem API-Schlüssel des eigenen Kontos.',
  },
  facts: {
    who: {
      en: 'Everybody, on dev.to or another site that runs Forem',
      de: 'Alle, auf dev.to oder einer anderen Website mit Forem',
    },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: { en: 'The person revokes the key.', de: 'Die Person widerruft den Schlüssel.' },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make an API key', de: 'API-Schlüssel anlegen' },
      text: [
        {
          en: 'On DEV: *Settings → Extensions → DEV Community API Keys*. Enter a name such as Carillon and generate the key.',
          de: 'Auf DEV: *Settings → Extensions → DEV Community API Keys*. Gib einen Namen wie Carillon ein und erzeuge den Schlüssel.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the key. Leave the server empty for dev.to, or enter the address of another site that runs Forem.',
          de: 'Gib den Schlüssel ein. Lass den Server für dev.to leer, oder gib die Adresse einer anderen Website mit Forem ein.',
        },
        {
          en: 'The text of a post is Markdown. DEV takes no files: images are written as `![words](https://…)`, and the cover has a setting.',
          de: 'Der Text eines Beitrags ist Markdown. DEV nimmt keine Dateien: Bilder schreibt man als `![words](https://…)`, das Titelbild ist eine Einstellung.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The article is refused as a repeat', de: 'Der Artikel wird als Wiederholung abgelehnt' },
      cure: {
        en: 'The same title may be used again after five minutes, and a canonical address belongs to one published article only.',
        de: 'Derselbe Titel ist nach fünf Minuten wieder erlaubt, und eine kanonische Adresse gehört nur zu einem veröffentlichten Artikel.',
      },
    },
    {
      sign: { en: 'Articles are sent late', de: 'Artikel gehen spät hinaus' },
      cure: {
        en: 'New accounts may publish only a few articles in five minutes.',
        de: 'Neue Konten dürfen in fünf Minuten nur wenige Artikel veröffentlichen.',
      },
    },
  ],
  sources: [
    { url: 'https://github.com/forem/forem/blob/main/app/controllers/api/v1/api_controller.rb', on: '2026-11-19' },
    { url: 'https://github.com/forem/forem/blob/main/app/models/article.rb', on: '2026-11-19' },
  ],
}
