/* unicode.h - character classes and case mappings, with the answers of Go's unicode package. */
#ifndef CUE_UNICODE_H
#define CUE_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

bool cue_uni_is_letter(uint32_t r);
bool cue_uni_is_digit(uint32_t r);   /* decimal digits, category Nd */
bool cue_uni_is_space(uint32_t r);   /* the property White_Space */
bool cue_uni_is_print(uint32_t r);   /* letters, marks, numbers, punctuation, symbols, and the space U+0020 */
bool cue_uni_is_graphic(uint32_t r); /* is_print and all spaces of category Zs */
uint32_t cue_uni_upper(uint32_t r);
uint32_t cue_uni_lower(uint32_t r);
uint32_t cue_uni_title(uint32_t r);

#endif
