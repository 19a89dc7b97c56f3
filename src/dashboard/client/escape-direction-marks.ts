/**
 * Makes the invisible characters visible that change the direction of the text around them: with them a text can read as another
 * one (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). Inside JSON the result still means the same text.
 */
export function escapeDirectionMarks(text: string): string {
  return text.replaceAll(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => String.raw`\u` + mark.charCodeAt(0).toString(16).padStart(4, '0'),
  )
}
