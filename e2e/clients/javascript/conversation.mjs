// The conversation that all programs have, and its tool.
export const questions = { weather: 'What is the weather in Paris?', hello: 'Say hello', failure: 'Please fail' }

export function getWeather({ city }) {
  return `21 degrees in ${city}`
}

export const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** Runs the three turns. A turn that fails is part of the conversation. */
export async function converse({ askWeather, sayHello, fail }) {
  await askWeather(questions.weather)
  await sayHello(questions.hello)
  await fail(questions.failure).then(
    () => Promise.reject(new Error('The model should have refused.')),
    () => undefined,
  )
}
