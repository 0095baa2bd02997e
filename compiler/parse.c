/* A Bison parser, made by GNU Bison 3.8.2.  */

/* Bison implementation for Yacc-like parsers in C

   Copyright (C) 1984, 1989-1990, 2000-2015, 2018-2021 Free Software Foundation,
   Inc.

   This program is free software: you can redistribute it and/or modify
   it under the terms of the GNU General Public License as published by
   the Free Software Foundation, either version 3 of the License, or
   (at your option) any later version.

   This program is distributed in the hope that it will be useful,
   but WITHOUT ANY WARRANTY; without even the implied warranty of
   MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
   GNU General Public License for more details.

   You should have received a copy of the GNU General Public License
   along with this program.  If not, see <https://www.gnu.org/licenses/>.  */

/* As a special exception, you may create a larger work that contains
   part or all of the Bison parser skeleton and distribute that work
   under terms of your choice, so long as that work isn't itself a
   parser generator using the skeleton or a modified version thereof
   as a parser skeleton.  Alternatively, if you modify or redistribute
   the parser skeleton itself, you may (at your option) remove this
   special exception, which will cause the skeleton and the resulting
   Bison output files to be licensed under the GNU General Public
   License without this special exception.

   This special exception was added by the Free Software Foundation in
   version 2.2 of Bison.  */

/* C LALR(1) parser skeleton written by Richard Stallman, by
   simplifying the original so-called "semantic" parser.  */

/* DO NOT RELY ON FEATURES THAT ARE NOT DOCUMENTED in the manual,
   especially those whose name start with YY_ or yy_.  They are
   private implementation details that can be changed or removed.  */

/* All symbols defined below should begin with yy or YY, to avoid
   infringing on user name space.  This should be done even for local
   variables, as they might otherwise be expanded by user macros.
   There are some unavoidable exceptions within include files to
   define necessary library symbols; they are noted "INFRINGES ON
   USER NAME SPACE" below.  */

/* Identify Bison output, and Bison version.  */
#define YYBISON 30802

/* Bison version string.  */
#define YYBISON_VERSION "3.8.2"

/* Skeleton name.  */
#define YYSKELETON_NAME "yacc.c"

/* Pure parsers.  */
#define YYPURE 2

/* Push parsers.  */
#define YYPUSH 1

/* Pull parsers.  */
#define YYPULL 0

/* Substitute the type names.  */
#define YYSTYPE         LRSTYPE
#define YYLTYPE         LRLTYPE
/* Substitute the variable and function names.  */
#define yypush_parse    lrpush_parse
#define yypstate_new    lrpstate_new
#define yypstate_clear  lrpstate_clear
#define yypstate_delete lrpstate_delete
#define yypstate        lrpstate
#define yylex           lrlex
#define yyerror         lrerror
#define yydebug         lrdebug
#define yynerrs         lrnerrs


# ifndef YY_CAST
#  ifdef __cplusplus
#   define YY_CAST(Type, Val) static_cast<Type> (Val)
#   define YY_REINTERPRET_CAST(Type, Val) reinterpret_cast<Type> (Val)
#  else
#   define YY_CAST(Type, Val) ((Type) (Val))
#   define YY_REINTERPRET_CAST(Type, Val) ((Type) (Val))
#  endif
# endif
# ifndef YY_NULLPTR
#  if defined __cplusplus
#   if 201103L <= __cplusplus
#    define YY_NULLPTR nullptr
#   else
#    define YY_NULLPTR 0
#   endif
#  else
#   define YY_NULLPTR ((void*)0)
#  endif
# endif


/* Debug traces.  */
#ifndef LRDEBUG
# if defined YYDEBUG
#if YYDEBUG
#   define LRDEBUG 1
#  else
#   define LRDEBUG 0
#  endif
# else /* ! defined YYDEBUG */
#  define LRDEBUG 0
# endif /* ! defined YYDEBUG */
#endif  /* ! defined LRDEBUG */
#if LRDEBUG
extern int lrdebug;
#endif
/* "%code requires" blocks.  */
#line 21 "compiler/parse.y"

#include "compiler/parser.h"

#line 124 "y.tab.c"

/* Token kinds.  */
#ifndef LRTOKENTYPE
# define LRTOKENTYPE
  enum lrtokentype
  {
    T_LREMPTY = -2,
    T_EOF = 0,                     /* EOF  */
    T_LRerror = 256,               /* error  */
    T_LRUNDEF = 257,               /* "invalid token"  */
    T_BAD = 258,                   /* BAD  */
    T_COMMENT = 259,               /* COMMENT  */
    T_ARROW = 260,                 /* ARROW  */
    T_SEMICOLON = 261,             /* SEMICOLON  */
    T_TILDE = 262,                 /* TILDE  */
    T_COLON = 263,                 /* COLON  */
    T_PERIOD = 264,                /* PERIOD  */
    T_ELLIPSIS = 265,              /* ELLIPSIS  */
    T_BIND = 266,                  /* BIND  */
    T_NOT = 267,                   /* NOT  */
    T_OPTION = 268,                /* OPTION  */
    T_OPTIONAL = 269,              /* OPTIONAL  */
    T_COMMA = 270,                 /* COMMA  */
    T_NEWLINE = 271,               /* NEWLINE  */
    T_LPAREN = 272,                /* LPAREN  */
    T_RPAREN = 273,                /* RPAREN  */
    T_LBRACK = 274,                /* LBRACK  */
    T_RBRACK = 275,                /* RBRACK  */
    T_LBRACE = 276,                /* LBRACE  */
    T_RBRACE = 277,                /* RBRACE  */
    T_IF = 278,                    /* IF  */
    T_FOR = 279,                   /* FOR  */
    T_IN = 280,                    /* IN  */
    T_LET = 281,                   /* LET  */
    T_TRY = 282,                   /* TRY  */
    T_ELSE = 283,                  /* ELSE  */
    T_OTHERWISE = 284,             /* OTHERWISE  */
    T_FALLBACK = 285,              /* FALLBACK  */
    T_FUNC = 286,                  /* FUNC  */
    T_PACKAGE = 287,               /* PACKAGE  */
    T_IMPORT = 288,                /* IMPORT  */
    T_START_EXPR = 289,            /* START_EXPR  */
    T_BADEXPR = 290,               /* BADEXPR  */
    T_BOTTOM = 291,                /* BOTTOM  */
    T_ATTRIBUTE = 292,             /* ATTRIBUTE  */
    T_IDENT = 293,                 /* IDENT  */
    T_KEYNAME = 294,               /* KEYNAME  */
    T_INT = 295,                   /* INT  */
    T_FLOAT = 296,                 /* FLOAT  */
    T_STRING = 297,                /* STRING  */
    T_INTERPOLATION = 298,         /* INTERPOLATION  */
    T_PIECE = 299,                 /* PIECE  */
    T_LASTPIECE = 300,             /* LASTPIECE  */
    T_TRUE = 301,                  /* TRUE  */
    T_FALSE = 302,                 /* FALSE  */
    T_NULL = 303,                  /* NULL  */
    T_OR = 304,                    /* OR  */
    T_AND = 305,                   /* AND  */
    T_LOR = 306,                   /* LOR  */
    T_LAND = 307,                  /* LAND  */
    T_EQL = 308,                   /* EQL  */
    T_NEQ = 309,                   /* NEQ  */
    T_LSS = 310,                   /* LSS  */
    T_LEQ = 311,                   /* LEQ  */
    T_GTR = 312,                   /* GTR  */
    T_GEQ = 313,                   /* GEQ  */
    T_MAT = 314,                   /* MAT  */
    T_NMAT = 315,                  /* NMAT  */
    T_ADD = 316,                   /* ADD  */
    T_SUB = 317,                   /* SUB  */
    T_MUL = 318,                   /* MUL  */
    T_QUO = 319,                   /* QUO  */
    T_IDIV = 320,                  /* IDIV  */
    T_IMOD = 321,                  /* IMOD  */
    T_IQUO = 322,                  /* IQUO  */
    T_IREM = 323                   /* IREM  */
  };
  typedef enum lrtokentype lrtoken_kind_t;
#endif
/* Token kinds.  */
#define T_LREMPTY -2
#define T_EOF 0
#define T_LRerror 256
#define T_LRUNDEF 257
#define T_BAD 258
#define T_COMMENT 259
#define T_ARROW 260
#define T_SEMICOLON 261
#define T_TILDE 262
#define T_COLON 263
#define T_PERIOD 264
#define T_ELLIPSIS 265
#define T_BIND 266
#define T_NOT 267
#define T_OPTION 268
#define T_OPTIONAL 269
#define T_COMMA 270
#define T_NEWLINE 271
#define T_LPAREN 272
#define T_RPAREN 273
#define T_LBRACK 274
#define T_RBRACK 275
#define T_LBRACE 276
#define T_RBRACE 277
#define T_IF 278
#define T_FOR 279
#define T_IN 280
#define T_LET 281
#define T_TRY 282
#define T_ELSE 283
#define T_OTHERWISE 284
#define T_FALLBACK 285
#define T_FUNC 286
#define T_PACKAGE 287
#define T_IMPORT 288
#define T_START_EXPR 289
#define T_BADEXPR 290
#define T_BOTTOM 291
#define T_ATTRIBUTE 292
#define T_IDENT 293
#define T_KEYNAME 294
#define T_INT 295
#define T_FLOAT 296
#define T_STRING 297
#define T_INTERPOLATION 298
#define T_PIECE 299
#define T_LASTPIECE 300
#define T_TRUE 301
#define T_FALSE 302
#define T_NULL 303
#define T_OR 304
#define T_AND 305
#define T_LOR 306
#define T_LAND 307
#define T_EQL 308
#define T_NEQ 309
#define T_LSS 310
#define T_LEQ 311
#define T_GTR 312
#define T_GEQ 313
#define T_MAT 314
#define T_NMAT 315
#define T_ADD 316
#define T_SUB 317
#define T_MUL 318
#define T_QUO 319
#define T_IDIV 320
#define T_IMOD 321
#define T_IQUO 322
#define T_IREM 323

/* Value type.  */
#if ! defined LRSTYPE && ! defined LRSTYPE_IS_DECLARED
union LRSTYPE
{
#line 39 "compiler/parse.y"

  CueStr text;
  Ast *node;
  AstList list;
  FieldRest rest;

#line 287 "y.tab.c"

};
typedef union LRSTYPE LRSTYPE;
# define LRSTYPE_IS_TRIVIAL 1
# define LRSTYPE_IS_DECLARED 1
#endif

/* Location type.  */
typedef Span LRLTYPE;




#ifndef YYPUSH_MORE_DEFINED
# define YYPUSH_MORE_DEFINED
enum { YYPUSH_MORE = 4 };
#endif

typedef struct lrpstate lrpstate;


int lrpush_parse (lrpstate *ps,
                  int pushed_char, LRSTYPE const *pushed_val, LRLTYPE *pushed_loc, Parser *p);

lrpstate *lrpstate_new (void);
void lrpstate_delete (lrpstate *ps);



/* Symbol kind.  */
enum yysymbol_kind_t
{
  YYSYMBOL_YYEMPTY = -2,
  YYSYMBOL_YYEOF = 0,                      /* EOF  */
  YYSYMBOL_YYerror = 1,                    /* error  */
  YYSYMBOL_YYUNDEF = 2,                    /* "invalid token"  */
  YYSYMBOL_BAD = 3,                        /* BAD  */
  YYSYMBOL_COMMENT = 4,                    /* COMMENT  */
  YYSYMBOL_ARROW = 5,                      /* ARROW  */
  YYSYMBOL_SEMICOLON = 6,                  /* SEMICOLON  */
  YYSYMBOL_TILDE = 7,                      /* TILDE  */
  YYSYMBOL_COLON = 8,                      /* COLON  */
  YYSYMBOL_PERIOD = 9,                     /* PERIOD  */
  YYSYMBOL_ELLIPSIS = 10,                  /* ELLIPSIS  */
  YYSYMBOL_BIND = 11,                      /* BIND  */
  YYSYMBOL_NOT = 12,                       /* NOT  */
  YYSYMBOL_OPTION = 13,                    /* OPTION  */
  YYSYMBOL_OPTIONAL = 14,                  /* OPTIONAL  */
  YYSYMBOL_COMMA = 15,                     /* COMMA  */
  YYSYMBOL_NEWLINE = 16,                   /* NEWLINE  */
  YYSYMBOL_LPAREN = 17,                    /* LPAREN  */
  YYSYMBOL_RPAREN = 18,                    /* RPAREN  */
  YYSYMBOL_LBRACK = 19,                    /* LBRACK  */
  YYSYMBOL_RBRACK = 20,                    /* RBRACK  */
  YYSYMBOL_LBRACE = 21,                    /* LBRACE  */
  YYSYMBOL_RBRACE = 22,                    /* RBRACE  */
  YYSYMBOL_IF = 23,                        /* IF  */
  YYSYMBOL_FOR = 24,                       /* FOR  */
  YYSYMBOL_IN = 25,                        /* IN  */
  YYSYMBOL_LET = 26,                       /* LET  */
  YYSYMBOL_TRY = 27,                       /* TRY  */
  YYSYMBOL_ELSE = 28,                      /* ELSE  */
  YYSYMBOL_OTHERWISE = 29,                 /* OTHERWISE  */
  YYSYMBOL_FALLBACK = 30,                  /* FALLBACK  */
  YYSYMBOL_FUNC = 31,                      /* FUNC  */
  YYSYMBOL_PACKAGE = 32,                   /* PACKAGE  */
  YYSYMBOL_IMPORT = 33,                    /* IMPORT  */
  YYSYMBOL_START_EXPR = 34,                /* START_EXPR  */
  YYSYMBOL_BADEXPR = 35,                   /* BADEXPR  */
  YYSYMBOL_BOTTOM = 36,                    /* BOTTOM  */
  YYSYMBOL_ATTRIBUTE = 37,                 /* ATTRIBUTE  */
  YYSYMBOL_IDENT = 38,                     /* IDENT  */
  YYSYMBOL_KEYNAME = 39,                   /* KEYNAME  */
  YYSYMBOL_INT = 40,                       /* INT  */
  YYSYMBOL_FLOAT = 41,                     /* FLOAT  */
  YYSYMBOL_STRING = 42,                    /* STRING  */
  YYSYMBOL_INTERPOLATION = 43,             /* INTERPOLATION  */
  YYSYMBOL_PIECE = 44,                     /* PIECE  */
  YYSYMBOL_LASTPIECE = 45,                 /* LASTPIECE  */
  YYSYMBOL_TRUE = 46,                      /* TRUE  */
  YYSYMBOL_FALSE = 47,                     /* FALSE  */
  YYSYMBOL_NULL = 48,                      /* NULL  */
  YYSYMBOL_OR = 49,                        /* OR  */
  YYSYMBOL_AND = 50,                       /* AND  */
  YYSYMBOL_LOR = 51,                       /* LOR  */
  YYSYMBOL_LAND = 52,                      /* LAND  */
  YYSYMBOL_EQL = 53,                       /* EQL  */
  YYSYMBOL_NEQ = 54,                       /* NEQ  */
  YYSYMBOL_LSS = 55,                       /* LSS  */
  YYSYMBOL_LEQ = 56,                       /* LEQ  */
  YYSYMBOL_GTR = 57,                       /* GTR  */
  YYSYMBOL_GEQ = 58,                       /* GEQ  */
  YYSYMBOL_MAT = 59,                       /* MAT  */
  YYSYMBOL_NMAT = 60,                      /* NMAT  */
  YYSYMBOL_ADD = 61,                       /* ADD  */
  YYSYMBOL_SUB = 62,                       /* SUB  */
  YYSYMBOL_MUL = 63,                       /* MUL  */
  YYSYMBOL_QUO = 64,                       /* QUO  */
  YYSYMBOL_IDIV = 65,                      /* IDIV  */
  YYSYMBOL_IMOD = 66,                      /* IMOD  */
  YYSYMBOL_IQUO = 67,                      /* IQUO  */
  YYSYMBOL_IREM = 68,                      /* IREM  */
  YYSYMBOL_YYACCEPT = 69,                  /* $accept  */
  YYSYMBOL_start = 70,                     /* start  */
  YYSYMBOL_sep = 71,                       /* sep  */
  YYSYMBOL_decls = 72,                     /* decls  */
  YYSYMBOL_decl_seq = 73,                  /* decl_seq  */
  YYSYMBOL_decl = 74,                      /* decl  */
  YYSYMBOL_head = 75,                      /* head  */
  YYSYMBOL_label = 76,                     /* label  */
  YYSYMBOL_plain_label = 77,               /* plain_label  */
  YYSYMBOL_tail = 78,                      /* tail  */
  YYSYMBOL_mark = 79,                      /* mark  */
  YYSYMBOL_postfix_alias = 80,             /* postfix_alias  */
  YYSYMBOL_value = 81,                     /* value  */
  YYSYMBOL_attrs = 82,                     /* attrs  */
  YYSYMBOL_attribute = 83,                 /* attribute  */
  YYSYMBOL_specs = 84,                     /* specs  */
  YYSYMBOL_spec_seq = 85,                  /* spec_seq  */
  YYSYMBOL_import_spec = 86,               /* import_spec  */
  YYSYMBOL_comp_decl = 87,                 /* comp_decl  */
  YYSYMBOL_comp_item = 88,                 /* comp_item  */
  YYSYMBOL_decl_clauses = 89,              /* decl_clauses  */
  YYSYMBOL_clauses = 90,                   /* clauses  */
  YYSYMBOL_first_decl_clause = 91,         /* first_decl_clause  */
  YYSYMBOL_first_clause = 92,              /* first_clause  */
  YYSYMBOL_clause = 93,                    /* clause  */
  YYSYMBOL_for_clause = 94,                /* for_clause  */
  YYSYMBOL_if_clause = 95,                 /* if_clause  */
  YYSYMBOL_let_clause = 96,                /* let_clause  */
  YYSYMBOL_try_clause = 97,                /* try_clause  */
  YYSYMBOL_fallback = 98,                  /* fallback  */
  YYSYMBOL_expr = 99,                      /* expr  */
  YYSYMBOL_unary = 100,                    /* unary  */
  YYSYMBOL_primary = 101,                  /* primary  */
  YYSYMBOL_selectable = 102,               /* selectable  */
  YYSYMBOL_selector = 103,                 /* selector  */
  YYSYMBOL_expr_opt = 104,                 /* expr_opt  */
  YYSYMBOL_args = 105,                     /* args  */
  YYSYMBOL_arg_seq = 106,                  /* arg_seq  */
  YYSYMBOL_operand = 107,                  /* operand  */
  YYSYMBOL_ident = 108,                    /* ident  */
  YYSYMBOL_name = 109,                     /* name  */
  YYSYMBOL_string = 110,                   /* string  */
  YYSYMBOL_paren = 111,                    /* paren  */
  YYSYMBOL_struct = 112,                   /* struct  */
  YYSYMBOL_interpolation = 113,            /* interpolation  */
  YYSYMBOL_interpolation_open = 114,       /* interpolation_open  */
  YYSYMBOL_list = 115,                     /* list  */
  YYSYMBOL_list_items = 116,               /* list_items  */
  YYSYMBOL_items = 117,                    /* items  */
  YYSYMBOL_last_item = 118,                /* last_item  */
  YYSYMBOL_rest = 119,                     /* rest  */
  YYSYMBOL_elem = 120                      /* elem  */
};
typedef enum yysymbol_kind_t yysymbol_kind_t;



/* Unqualified %code blocks.  */
#line 25 "compiler/parse.y"

#include <assert.h>

#define YYLLOC_DEFAULT(cur, rhs, n)                                                               \
  ((n) ? (void)((cur).pos = YYRHSLOC(rhs, 1).pos, (cur).end = YYRHSLOC(rhs, n).end)               \
       : (void)((cur).pos = (cur).end = YYRHSLOC(rhs, 0).end))
/* The stack of the automaton lives in the arena of the parse; its size is bounded by the driver. */
#define YYMAXDEPTH 2000000
#define YYSTACK_ALLOC(n) cue_alloc(p->a, (size_t)(n))
#define YYMALLOC(n) NULL /* of lrpstate_new, which lr_new replaces */
#define YYFREE(x) ((void)(x))
static void lrerror(Span *at, Parser *p, const char *message);

#line 462 "y.tab.c"

#ifdef short
# undef short
#endif

/* On compilers that do not define __PTRDIFF_MAX__ etc., make sure
   <limits.h> and (if available) <stdint.h> are included
   so that the code can choose integer types of a good width.  */

#ifndef __PTRDIFF_MAX__
# include <limits.h> /* INFRINGES ON USER NAME SPACE */
# if defined __STDC_VERSION__ && 199901 <= __STDC_VERSION__
#  include <stdint.h> /* INFRINGES ON USER NAME SPACE */
#  define YY_STDINT_H
# endif
#endif

/* Narrow types that promote to a signed type and that can represent a
   signed or unsigned integer of at least N bits.  In tables they can
   save space and decrease cache pressure.  Promoting to a signed type
   helps avoid bugs in integer arithmetic.  */

#ifdef __INT_LEAST8_MAX__
typedef __INT_LEAST8_TYPE__ yytype_int8;
#elif defined YY_STDINT_H
typedef int_least8_t yytype_int8;
#else
typedef signed char yytype_int8;
#endif

#ifdef __INT_LEAST16_MAX__
typedef __INT_LEAST16_TYPE__ yytype_int16;
#elif defined YY_STDINT_H
typedef int_least16_t yytype_int16;
#else
typedef short yytype_int16;
#endif

/* Work around bug in HP-UX 11.23, which defines these macros
   incorrectly for preprocessor constants.  This workaround can likely
   be removed in 2023, as HPE has promised support for HP-UX 11.23
   (aka HP-UX 11i v2) only through the end of 2022; see Table 2 of
   <https://h20195.www2.hpe.com/V2/getpdf.aspx/4AA4-7673ENW.pdf>.  */
#ifdef __hpux
# undef UINT_LEAST8_MAX
# undef UINT_LEAST16_MAX
# define UINT_LEAST8_MAX 255
# define UINT_LEAST16_MAX 65535
#endif

#if defined __UINT_LEAST8_MAX__ && __UINT_LEAST8_MAX__ <= __INT_MAX__
typedef __UINT_LEAST8_TYPE__ yytype_uint8;
#elif (!defined __UINT_LEAST8_MAX__ && defined YY_STDINT_H \
       && UINT_LEAST8_MAX <= INT_MAX)
typedef uint_least8_t yytype_uint8;
#elif !defined __UINT_LEAST8_MAX__ && UCHAR_MAX <= INT_MAX
typedef unsigned char yytype_uint8;
#else
typedef short yytype_uint8;
#endif

#if defined __UINT_LEAST16_MAX__ && __UINT_LEAST16_MAX__ <= __INT_MAX__
typedef __UINT_LEAST16_TYPE__ yytype_uint16;
#elif (!defined __UINT_LEAST16_MAX__ && defined YY_STDINT_H \
       && UINT_LEAST16_MAX <= INT_MAX)
typedef uint_least16_t yytype_uint16;
#elif !defined __UINT_LEAST16_MAX__ && USHRT_MAX <= INT_MAX
typedef unsigned short yytype_uint16;
#else
typedef int yytype_uint16;
#endif

#ifndef YYPTRDIFF_T
# if defined __PTRDIFF_TYPE__ && defined __PTRDIFF_MAX__
#  define YYPTRDIFF_T __PTRDIFF_TYPE__
#  define YYPTRDIFF_MAXIMUM __PTRDIFF_MAX__
# elif defined PTRDIFF_MAX
#  ifndef ptrdiff_t
#   include <stddef.h> /* INFRINGES ON USER NAME SPACE */
#  endif
#  define YYPTRDIFF_T ptrdiff_t
#  define YYPTRDIFF_MAXIMUM PTRDIFF_MAX
# else
#  define YYPTRDIFF_T long
#  define YYPTRDIFF_MAXIMUM LONG_MAX
# endif
#endif

#ifndef YYSIZE_T
# ifdef __SIZE_TYPE__
#  define YYSIZE_T __SIZE_TYPE__
# elif defined size_t
#  define YYSIZE_T size_t
# elif defined __STDC_VERSION__ && 199901 <= __STDC_VERSION__
#  include <stddef.h> /* INFRINGES ON USER NAME SPACE */
#  define YYSIZE_T size_t
# else
#  define YYSIZE_T unsigned
# endif
#endif

#define YYSIZE_MAXIMUM                                  \
  YY_CAST (YYPTRDIFF_T,                                 \
           (YYPTRDIFF_MAXIMUM < YY_CAST (YYSIZE_T, -1)  \
            ? YYPTRDIFF_MAXIMUM                         \
            : YY_CAST (YYSIZE_T, -1)))

#define YYSIZEOF(X) YY_CAST (YYPTRDIFF_T, sizeof (X))


/* Stored state numbers (used for stacks). */
typedef yytype_int16 yy_state_t;

/* State numbers in computations.  */
typedef int yy_state_fast_t;

#ifndef YY_
# if defined YYENABLE_NLS && YYENABLE_NLS
#  if ENABLE_NLS
#   include <libintl.h> /* INFRINGES ON USER NAME SPACE */
#   define YY_(Msgid) dgettext ("bison-runtime", Msgid)
#  endif
# endif
# ifndef YY_
#  define YY_(Msgid) Msgid
# endif
#endif


#ifndef YY_ATTRIBUTE_PURE
# if defined __GNUC__ && 2 < __GNUC__ + (96 <= __GNUC_MINOR__)
#  define YY_ATTRIBUTE_PURE __attribute__ ((__pure__))
# else
#  define YY_ATTRIBUTE_PURE
# endif
#endif

#ifndef YY_ATTRIBUTE_UNUSED
# if defined __GNUC__ && 2 < __GNUC__ + (7 <= __GNUC_MINOR__)
#  define YY_ATTRIBUTE_UNUSED __attribute__ ((__unused__))
# else
#  define YY_ATTRIBUTE_UNUSED
# endif
#endif

/* Suppress unused-variable warnings by "using" E.  */
#if ! defined lint || defined __GNUC__
# define YY_USE(E) ((void) (E))
#else
# define YY_USE(E) /* empty */
#endif

/* Suppress an incorrect diagnostic about yylval being uninitialized.  */
#if defined __GNUC__ && ! defined __ICC && 406 <= __GNUC__ * 100 + __GNUC_MINOR__
# if __GNUC__ * 100 + __GNUC_MINOR__ < 407
#  define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN                           \
    _Pragma ("GCC diagnostic push")                                     \
    _Pragma ("GCC diagnostic ignored \"-Wuninitialized\"")
# else
#  define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN                           \
    _Pragma ("GCC diagnostic push")                                     \
    _Pragma ("GCC diagnostic ignored \"-Wuninitialized\"")              \
    _Pragma ("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
# endif
# define YY_IGNORE_MAYBE_UNINITIALIZED_END      \
    _Pragma ("GCC diagnostic pop")
#else
# define YY_INITIAL_VALUE(Value) Value
#endif
#ifndef YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
# define YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
# define YY_IGNORE_MAYBE_UNINITIALIZED_END
#endif
#ifndef YY_INITIAL_VALUE
# define YY_INITIAL_VALUE(Value) /* Nothing. */
#endif

#if defined __cplusplus && defined __GNUC__ && ! defined __ICC && 6 <= __GNUC__
# define YY_IGNORE_USELESS_CAST_BEGIN                          \
    _Pragma ("GCC diagnostic push")                            \
    _Pragma ("GCC diagnostic ignored \"-Wuseless-cast\"")
# define YY_IGNORE_USELESS_CAST_END            \
    _Pragma ("GCC diagnostic pop")
#endif
#ifndef YY_IGNORE_USELESS_CAST_BEGIN
# define YY_IGNORE_USELESS_CAST_BEGIN
# define YY_IGNORE_USELESS_CAST_END
#endif


#define YY_ASSERT(E) ((void) (0 && (E)))

#if 1

/* The parser invokes alloca or malloc; define the necessary symbols.  */

# ifdef YYSTACK_ALLOC
   /* Pacify GCC's 'empty if-body' warning.  */
#  define YYSTACK_FREE(Ptr) do { /* empty */; } while (0)
#  ifndef YYSTACK_ALLOC_MAXIMUM
    /* The OS might guarantee only one guard page at the bottom of the stack,
       and a page size can be as small as 4096 bytes.  So we cannot safely
       invoke alloca (N) if N exceeds 4096.  Use a slightly smaller number
       to allow for a few compiler-allocated temporary stack slots.  */
#   define YYSTACK_ALLOC_MAXIMUM 4032 /* reasonable circa 2006 */
#  endif
# else
#  define YYSTACK_ALLOC YYMALLOC
#  define YYSTACK_FREE YYFREE
#  ifndef YYSTACK_ALLOC_MAXIMUM
#   define YYSTACK_ALLOC_MAXIMUM YYSIZE_MAXIMUM
#  endif
#  if (defined __cplusplus && ! defined EXIT_SUCCESS \
       && ! ((defined YYMALLOC || defined malloc) \
             && (defined YYFREE || defined free)))
#   include <stdlib.h> /* INFRINGES ON USER NAME SPACE */
#   ifndef EXIT_SUCCESS
#    define EXIT_SUCCESS 0
#   endif
#  endif
#  ifndef YYMALLOC
#   define YYMALLOC malloc
#   if ! defined malloc && ! defined EXIT_SUCCESS
void *malloc (YYSIZE_T); /* INFRINGES ON USER NAME SPACE */
#   endif
#  endif
#  ifndef YYFREE
#   define YYFREE free
#   if ! defined free && ! defined EXIT_SUCCESS
void free (void *); /* INFRINGES ON USER NAME SPACE */
#   endif
#  endif
# endif
#endif /* 1 */

#if (! defined yyoverflow \
     && (! defined __cplusplus \
         || (defined LRLTYPE_IS_TRIVIAL && LRLTYPE_IS_TRIVIAL \
             && defined LRSTYPE_IS_TRIVIAL && LRSTYPE_IS_TRIVIAL)))

/* A type that is properly aligned for any stack member.  */
union yyalloc
{
  yy_state_t yyss_alloc;
  YYSTYPE yyvs_alloc;
  YYLTYPE yyls_alloc;
};

/* The size of the maximum gap between one aligned stack and the next.  */
# define YYSTACK_GAP_MAXIMUM (YYSIZEOF (union yyalloc) - 1)

/* The size of an array large to enough to hold all stacks, each with
   N elements.  */
# define YYSTACK_BYTES(N) \
     ((N) * (YYSIZEOF (yy_state_t) + YYSIZEOF (YYSTYPE) \
             + YYSIZEOF (YYLTYPE)) \
      + 2 * YYSTACK_GAP_MAXIMUM)

# define YYCOPY_NEEDED 1

/* Relocate STACK from its old location to the new one.  The
   local variables YYSIZE and YYSTACKSIZE give the old and new number of
   elements in the stack, and YYPTR gives the new location of the
   stack.  Advance YYPTR to a properly aligned location for the next
   stack.  */
# define YYSTACK_RELOCATE(Stack_alloc, Stack)                           \
    do                                                                  \
      {                                                                 \
        YYPTRDIFF_T yynewbytes;                                         \
        YYCOPY (&yyptr->Stack_alloc, Stack, yysize);                    \
        Stack = &yyptr->Stack_alloc;                                    \
        yynewbytes = yystacksize * YYSIZEOF (*Stack) + YYSTACK_GAP_MAXIMUM; \
        yyptr += yynewbytes / YYSIZEOF (*yyptr);                        \
      }                                                                 \
    while (0)

#endif

#if defined YYCOPY_NEEDED && YYCOPY_NEEDED
/* Copy COUNT objects from SRC to DST.  The source and destination do
   not overlap.  */
# ifndef YYCOPY
#  if defined __GNUC__ && 1 < __GNUC__
#   define YYCOPY(Dst, Src, Count) \
      __builtin_memcpy (Dst, Src, YY_CAST (YYSIZE_T, (Count)) * sizeof (*(Src)))
#  else
#   define YYCOPY(Dst, Src, Count)              \
      do                                        \
        {                                       \
          YYPTRDIFF_T yyi;                      \
          for (yyi = 0; yyi < (Count); yyi++)   \
            (Dst)[yyi] = (Src)[yyi];            \
        }                                       \
      while (0)
#  endif
# endif
#endif /* !YYCOPY_NEEDED */

/* YYFINAL -- State number of the termination state.  */
#define YYFINAL  110
/* YYLAST -- Last index in YYTABLE.  */
#define YYLAST   688

/* YYNTOKENS -- Number of terminals.  */
#define YYNTOKENS  69
/* YYNNTS -- Number of nonterminals.  */
#define YYNNTS  52
/* YYNRULES -- Number of rules.  */
#define YYNRULES  179
/* YYNSTATES -- Number of states.  */
#define YYNSTATES  274

/* YYMAXUTOK -- Last valid token kind.  */
#define YYMAXUTOK   323


/* YYTRANSLATE(TOKEN-NUM) -- Symbol number corresponding to TOKEN-NUM
   as returned by yylex, with out-of-bounds checking.  */
#define YYTRANSLATE(YYX)                                \
  (0 <= (YYX) && (YYX) <= YYMAXUTOK                     \
   ? YY_CAST (yysymbol_kind_t, yytranslate[YYX])        \
   : YYSYMBOL_YYUNDEF)

/* YYTRANSLATE[TOKEN-NUM] -- Symbol number corresponding to TOKEN-NUM
   as returned by yylex.  */
static const yytype_int8 yytranslate[] =
{
       0,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     1,     2,     3,     4,
       5,     6,     7,     8,     9,    10,    11,    12,    13,    14,
      15,    16,    17,    18,    19,    20,    21,    22,    23,    24,
      25,    26,    27,    28,    29,    30,    31,    32,    33,    34,
      35,    36,    37,    38,    39,    40,    41,    42,    43,    44,
      45,    46,    47,    48,    49,    50,    51,    52,    53,    54,
      55,    56,    57,    58,    59,    60,    61,    62,    63,    64,
      65,    66,    67,    68
};

#if LRDEBUG
/* YYRLINE[YYN] -- Source line where rule number YYN was defined.  */
static const yytype_int16 yyrline[] =
{
       0,    69,    69,    70,    71,    76,    76,    79,    80,    81,
      84,    85,    89,    90,    91,    92,    93,    94,    95,    96,
      97,    98,    99,   103,   104,   107,   108,   111,   111,   111,
     111,   111,   112,   113,   114,   118,   119,   120,   123,   124,
     127,   128,   133,   134,   135,   138,   139,   141,   143,   143,
     143,   145,   146,   149,   150,   156,   157,   160,   161,   164,
     165,   166,   169,   170,   171,   173,   173,   174,   174,   175,
     175,   175,   175,   177,   178,   180,   181,   183,   184,   187,
     188,   189,   190,   196,   197,   198,   199,   200,   201,   202,
     203,   204,   205,   206,   207,   208,   209,   210,   211,   212,
     213,   214,   215,   216,   219,   220,   221,   222,   223,   224,
     225,   226,   227,   228,   229,   230,   231,   234,   235,   236,
     237,   238,   240,   241,   244,   245,   248,   248,   249,   250,
     251,   253,   253,   254,   254,   254,   256,   257,   261,   261,
     261,   261,   261,   261,   262,   263,   264,   265,   266,   267,
     268,   270,   272,   273,   275,   276,   277,   280,   284,   286,
     292,   294,   295,   296,   297,   300,   301,   302,   303,   304,
     305,   307,   307,   307,   307,   307,   309,   310,   313,   314
};
#endif

/** Accessing symbol of state STATE.  */
#define YY_ACCESSING_SYMBOL(State) YY_CAST (yysymbol_kind_t, yystos[State])

#if 1
/* The user-facing name of the symbol whose (internal) number is
   YYSYMBOL.  No bounds checking.  */
static const char *yysymbol_name (yysymbol_kind_t yysymbol) YY_ATTRIBUTE_UNUSED;

static const char *
yysymbol_name (yysymbol_kind_t yysymbol)
{
  static const char *const yy_sname[] =
  {
  "EOF", "error", "invalid token", "BAD", "COMMENT", "ARROW", "SEMICOLON",
  "TILDE", "COLON", "PERIOD", "ELLIPSIS", "BIND", "NOT", "OPTION",
  "OPTIONAL", "COMMA", "NEWLINE", "LPAREN", "RPAREN", "LBRACK", "RBRACK",
  "LBRACE", "RBRACE", "IF", "FOR", "IN", "LET", "TRY", "ELSE", "OTHERWISE",
  "FALLBACK", "FUNC", "PACKAGE", "IMPORT", "START_EXPR", "BADEXPR",
  "BOTTOM", "ATTRIBUTE", "IDENT", "KEYNAME", "INT", "FLOAT", "STRING",
  "INTERPOLATION", "PIECE", "LASTPIECE", "TRUE", "FALSE", "NULL", "OR",
  "AND", "LOR", "LAND", "EQL", "NEQ", "LSS", "LEQ", "GTR", "GEQ", "MAT",
  "NMAT", "ADD", "SUB", "MUL", "QUO", "IDIV", "IMOD", "IQUO", "IREM",
  "$accept", "start", "sep", "decls", "decl_seq", "decl", "head", "label",
  "plain_label", "tail", "mark", "postfix_alias", "value", "attrs",
  "attribute", "specs", "spec_seq", "import_spec", "comp_decl",
  "comp_item", "decl_clauses", "clauses", "first_decl_clause",
  "first_clause", "clause", "for_clause", "if_clause", "let_clause",
  "try_clause", "fallback", "expr", "unary", "primary", "selectable",
  "selector", "expr_opt", "args", "arg_seq", "operand", "ident", "name",
  "string", "paren", "struct", "interpolation", "interpolation_open",
  "list", "list_items", "items", "last_item", "rest", "elem", YY_NULLPTR
  };
  return yy_sname[yysymbol];
}
#endif

#define YYPACT_NINF (-183)

#define yypact_value_is_default(Yyn) \
  ((Yyn) == YYPACT_NINF)

#define YYTABLE_NINF (-35)

#define yytable_value_is_error(Yyn) \
  0

/* YYPACT[STATE-NUM] -- Index in YYTABLE of the portion describing
   STATE-NUM.  */
static const yytype_int16 yypact[] =
{
     254,  -183,   434,   434,   362,   308,   434,   -11,   -11,   -11,
     -11,     6,   434,  -183,  -183,  -183,    23,  -183,  -183,  -183,
    -183,   434,   111,   190,   260,   434,   434,   434,   434,   434,
     434,   434,   434,   434,   434,   434,    29,  -183,    31,  -183,
     486,   291,  -183,  -183,  -183,   191,  -183,  -183,  -183,  -183,
    -183,  -183,   522,  -183,    88,    30,  -183,   223,   314,   345,
    -183,   368,    32,   399,  -183,  -183,  -183,  -183,  -183,  -183,
    -183,  -183,  -183,   501,   434,    31,   191,  -183,   522,    41,
      60,   362,  -183,    31,    69,    19,   522,  -183,    47,    50,
      54,  -183,   -18,  -183,     7,  -183,   377,  -183,   522,  -183,
    -183,  -183,  -183,  -183,  -183,  -183,  -183,  -183,  -183,  -183,
    -183,  -183,  -183,   308,   486,   291,  -183,   522,   380,    15,
    -183,  -183,  -183,    82,  -183,    21,   435,  -183,  -183,  -183,
    -183,  -183,    38,   434,   434,   434,   434,   434,   434,   434,
     434,   434,   434,   434,   434,   434,   434,   434,   434,   434,
     434,   434,   434,    -8,  -183,   434,   434,  -183,   486,   434,
    -183,  -183,   522,  -183,   435,  -183,    38,   434,  -183,    31,
    -183,    72,  -183,  -183,    79,  -183,   434,   -11,   434,   434,
      83,    31,  -183,  -183,  -183,  -183,  -183,    82,    62,   486,
     -11,  -183,  -183,  -183,  -183,    38,    91,    91,    91,  -183,
     569,   587,   604,   620,   184,   184,   184,   184,   184,   184,
     184,   184,   400,   400,  -183,  -183,  -183,  -183,  -183,  -183,
    -183,  -183,  -183,  -183,  -183,  -183,  -183,   522,    84,    31,
     550,    92,  -183,   522,   440,   522,  -183,    38,  -183,   522,
    -183,  -183,    94,  -183,   522,    78,   522,   522,  -183,   -18,
    -183,   522,    31,  -183,  -183,  -183,  -183,  -183,   434,  -183,
     434,  -183,  -183,   434,  -183,    62,   -11,   522,   522,    97,
     522,    96,  -183,  -183
};

/* YYDEFACT[STATE-NUM] -- Default reduction number in state STATE-NUM.
   Performed when YYTABLE does not specify something else to do.  Zero
   means the default is an error.  */
static const yytype_uint8 yydefact[] =
{
       7,    18,     0,     0,   161,     7,     0,     0,     0,    77,
       0,     0,     0,   150,   149,    47,   152,   153,   144,   145,
     154,     0,   146,   147,   148,     0,     0,     0,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     2,     8,    10,
       0,     0,    25,    19,    16,     0,    59,    65,    67,    68,
      17,    66,    13,    83,   104,   118,   117,   138,   139,   141,
     143,   140,     0,   142,   146,   147,   148,   107,   138,   139,
     141,   140,   142,     0,   176,   173,     0,    62,   178,   138,
       0,   162,   163,   174,   171,     0,    75,   151,     0,     0,
       0,    20,    48,    21,     0,    53,     3,   119,   158,   113,
     114,   109,   110,   111,   112,   115,   116,   105,   106,   108,
       1,     5,     6,     9,     0,     0,    12,    45,   138,     0,
      23,    38,    39,    14,    35,    36,     0,    60,    69,    70,
      71,    72,    79,     0,     0,     0,     0,     0,     0,     0,
       0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
       0,     0,     0,     0,   123,   133,   131,   120,     0,     0,
     157,   155,   177,   167,     0,    63,    79,     0,   160,   173,
     164,   171,   175,   165,   172,   156,     0,     0,     0,     0,
       0,    49,    51,    54,     4,    11,    44,     0,    42,     0,
       0,    40,    24,    37,    61,    79,     0,     0,     0,    55,
      84,    85,    86,    87,    88,    89,    90,    91,    92,    93,
      94,    95,    96,    97,    98,    99,   100,   101,   102,   103,
     152,   128,   129,   130,   124,   126,   127,   136,     0,   134,
     132,     0,    26,    15,   138,   159,    64,    79,    57,   179,
     170,   168,   172,   166,    73,     0,    76,    78,    22,    50,
      46,    45,     0,    56,    80,    81,    82,   122,   135,   125,
     131,    58,   169,     0,    52,    43,     0,   137,   132,     0,
      74,     0,   121,    41
};

/* YYPGOTO[NTERM-NUM].  */
static const yytype_int16 yypgoto[] =
{
    -183,  -183,   -19,   119,  -183,    13,   -35,   -23,  -130,    42,
      34,  -183,    51,   -85,  -182,  -183,  -183,   -88,  -183,    90,
    -183,  -183,  -183,    11,   -68,    37,    44,    16,    45,  -144,
      -3,   483,  -183,  -183,  -183,   -86,  -183,  -183,  -183,     3,
      70,    14,     2,    28,    55,  -183,    81,  -183,  -183,    98,
    -183,   100
};

/* YYDEFGOTO[NTERM-NUM].  */
static const yytype_uint8 yydefgoto[] =
{
       0,    36,   113,    37,    38,    39,    40,    41,    42,   123,
     124,   125,   116,   188,    43,   180,   181,    93,    44,    75,
      45,    76,    46,    47,   127,    48,    49,   130,   131,   199,
      52,    53,    54,    55,   224,   231,   228,   229,    56,    94,
      68,    69,    70,    60,    71,    62,    72,    80,    81,    82,
      83,    84
};

/* YYTABLE[YYPACT[STATE-NUM]] -- What to do in state STATE-NUM.  If
   positive, shift that token.  If negative, reduce the rule whose
   number is the opposite.  If YYTABLE_NINF, syntax error.  */
static const yytype_int16 yytable[] =
{
      73,    78,    59,    86,   182,   114,   250,    59,   165,    96,
      88,    89,    90,    91,    58,    77,    50,   115,    98,    58,
      87,    50,   238,    92,    20,    95,   126,    87,   232,   110,
     220,    17,   190,   121,    20,   122,    97,   117,   221,   222,
     223,   175,    59,   157,    87,    51,   111,   112,    20,    20,
      51,   253,   167,    87,    58,    61,   163,   164,   194,   232,
      61,   178,   111,   112,   172,   179,   196,   197,   198,   177,
      57,   162,   176,   132,    79,    57,   159,   160,    78,   114,
     168,    63,   128,   250,   173,   174,    63,   241,   242,   129,
     192,   115,    77,   261,   243,    61,   236,   153,   154,    15,
     260,   248,   257,   263,   166,   155,    95,   156,   183,   262,
     118,   117,     5,   128,   273,    59,    59,   272,   -32,   -32,
     129,    63,   191,   -32,    85,   -32,   185,    58,    58,    50,
     200,   201,   202,   203,   204,   205,   206,   207,   208,   209,
     210,   211,   212,   213,   214,   215,   216,   217,   218,   219,
     240,    79,   227,   230,   195,   233,   235,   187,    51,   193,
      59,   264,   249,   128,   239,   186,   265,   226,    61,    61,
     129,   169,    58,   244,   269,   246,   247,     0,     0,   170,
     245,   171,     0,    57,   118,     0,   251,     0,     0,     0,
       0,    59,   237,   252,    63,    63,     0,   -33,   -33,     0,
       0,   128,   -33,    58,   -33,     0,   111,   112,   129,     0,
     258,     0,     5,    61,     6,     7,     0,     8,     9,     0,
       0,     0,     0,   225,   254,   255,   256,     0,   234,     0,
     -27,   -27,     0,   266,   158,   -27,     0,   -27,     0,    63,
       0,     0,     0,     0,    61,   145,   146,   147,   148,   149,
     150,   151,   152,     0,     0,   267,     0,   268,     0,   234,
     270,     0,     0,    95,     1,     0,     2,   -34,   -34,   271,
      63,     3,   -34,     4,   -34,     5,     0,     6,     7,     0,
       8,     9,     0,     0,     0,     0,    10,    11,    12,    13,
      14,    15,    16,    17,    18,    19,    20,    21,   119,   120,
      22,    23,    24,   121,     0,   122,     0,    25,    26,    27,
      28,    29,    30,    31,    32,    33,    34,    35,     1,     0,
       2,   -28,   -28,     0,     0,     3,   -28,     4,   -28,     5,
       0,     6,     7,     0,     8,     9,     0,     0,     0,     0,
      10,    11,     0,    13,    14,    15,    16,    17,    18,    19,
      20,    21,   -30,   -30,    22,    23,    24,   -30,     0,   -30,
       0,    25,    26,    27,    28,    29,    30,    31,    32,    33,
      34,    35,    74,     0,     2,   -29,   -29,     0,     0,     3,
     -29,     4,   -29,     5,     0,     6,     7,   -27,   -27,     0,
       0,   189,   -27,   184,   -27,     0,     0,    13,    14,     0,
      16,    17,    18,    19,    20,    21,   -31,   -31,    64,    65,
      66,   -31,     0,   -31,     0,    25,    26,    27,    28,    29,
      30,    31,    32,    33,    34,    35,   133,   134,   135,   136,
     137,   138,   139,   140,   141,   142,   143,   144,   145,   146,
     147,   148,   149,   150,   151,   152,     2,   -27,   -27,     0,
       0,     3,   -27,     4,   -27,     5,     5,     0,     6,     7,
       0,     8,     9,   147,   148,   149,   150,   151,   152,    13,
      14,     0,    16,    17,    18,    19,    20,    21,     0,     0,
      64,    65,    66,     0,     0,    67,     0,    25,    26,    27,
      28,    29,    30,    31,    32,    33,    34,    35,     2,     0,
       0,     0,     0,     3,     0,     4,     0,     5,    99,   100,
     101,   102,   103,   104,   105,   106,   107,   108,   109,   161,
       0,    13,    14,     0,    16,    17,    18,    19,    20,    21,
       0,     0,    22,    23,    24,     0,     0,     0,     0,    25,
      26,    27,    28,    29,    30,    31,    32,    33,    34,    35,
     133,   134,   135,   136,   137,   138,   139,   140,   141,   142,
     143,   144,   145,   146,   147,   148,   149,   150,   151,   152,
     259,   133,   134,   135,   136,   137,   138,   139,   140,   141,
     142,   143,   144,   145,   146,   147,   148,   149,   150,   151,
     152,     0,     0,     0,     0,     0,     0,     0,     0,   133,
     134,   135,   136,   137,   138,   139,   140,   141,   142,   143,
     144,   145,   146,   147,   148,   149,   150,   151,   152,   134,
     135,   136,   137,   138,   139,   140,   141,   142,   143,   144,
     145,   146,   147,   148,   149,   150,   151,   152,   135,   136,
     137,   138,   139,   140,   141,   142,   143,   144,   145,   146,
     147,   148,   149,   150,   151,   152,   136,   137,   138,   139,
     140,   141,   142,   143,   144,   145,   146,   147,   148,   149,
     150,   151,   152,   137,   138,   139,   140,   141,   142,   143,
     144,   145,   146,   147,   148,   149,   150,   151,   152
};

static const yytype_int16 yycheck[] =
{
       3,     4,     0,     6,    92,    40,   188,     5,    76,    12,
       7,     8,     9,    10,     0,     4,     0,    40,    21,     5,
      38,     5,   166,    17,    42,    11,    45,    38,   158,     0,
      38,    39,    17,    12,    42,    14,    13,    40,    46,    47,
      48,    22,    40,    13,    38,     0,    15,    16,    42,    42,
       5,   195,    11,    38,    40,     0,    75,    76,   126,   189,
       5,    11,    15,    16,    83,    11,    28,    29,    30,    88,
       0,    74,    25,    45,     4,     5,    44,    45,    81,   114,
      20,     0,    45,   265,    15,    16,     5,    15,    16,    45,
       8,   114,    81,   237,    15,    40,   164,     9,    10,    37,
       8,    18,    18,    25,    76,    17,    92,    19,    94,    15,
      40,   114,    21,    76,    18,   113,   114,    20,     7,     8,
      76,    40,   119,    12,     5,    14,   113,   113,   114,   113,
     133,   134,   135,   136,   137,   138,   139,   140,   141,   142,
     143,   144,   145,   146,   147,   148,   149,   150,   151,   152,
     169,    81,   155,   156,   126,   158,   159,   115,   113,   125,
     158,   249,   181,   126,   167,   114,   251,   153,   113,   114,
     126,    81,   158,   176,   260,   178,   179,    -1,    -1,    81,
     177,    81,    -1,   113,   114,    -1,   189,    -1,    -1,    -1,
      -1,   189,   164,   190,   113,   114,    -1,     7,     8,    -1,
      -1,   164,    12,   189,    14,    -1,    15,    16,   164,    -1,
     229,    -1,    21,   158,    23,    24,    -1,    26,    27,    -1,
      -1,    -1,    -1,   153,   196,   197,   198,    -1,   158,    -1,
       7,     8,    -1,   252,    11,    12,    -1,    14,    -1,   158,
      -1,    -1,    -1,    -1,   189,    61,    62,    63,    64,    65,
      66,    67,    68,    -1,    -1,   258,    -1,   260,    -1,   189,
     263,    -1,    -1,   249,    10,    -1,    12,     7,     8,   266,
     189,    17,    12,    19,    14,    21,    -1,    23,    24,    -1,
      26,    27,    -1,    -1,    -1,    -1,    32,    33,    34,    35,
      36,    37,    38,    39,    40,    41,    42,    43,     7,     8,
      46,    47,    48,    12,    -1,    14,    -1,    53,    54,    55,
      56,    57,    58,    59,    60,    61,    62,    63,    10,    -1,
      12,     7,     8,    -1,    -1,    17,    12,    19,    14,    21,
      -1,    23,    24,    -1,    26,    27,    -1,    -1,    -1,    -1,
      32,    33,    -1,    35,    36,    37,    38,    39,    40,    41,
      42,    43,     7,     8,    46,    47,    48,    12,    -1,    14,
      -1,    53,    54,    55,    56,    57,    58,    59,    60,    61,
      62,    63,    10,    -1,    12,     7,     8,    -1,    -1,    17,
      12,    19,    14,    21,    -1,    23,    24,     7,     8,    -1,
      -1,    11,    12,    16,    14,    -1,    -1,    35,    36,    -1,
      38,    39,    40,    41,    42,    43,     7,     8,    46,    47,
      48,    12,    -1,    14,    -1,    53,    54,    55,    56,    57,
      58,    59,    60,    61,    62,    63,    49,    50,    51,    52,
      53,    54,    55,    56,    57,    58,    59,    60,    61,    62,
      63,    64,    65,    66,    67,    68,    12,     7,     8,    -1,
      -1,    17,    12,    19,    14,    21,    21,    -1,    23,    24,
      -1,    26,    27,    63,    64,    65,    66,    67,    68,    35,
      36,    -1,    38,    39,    40,    41,    42,    43,    -1,    -1,
      46,    47,    48,    -1,    -1,     2,    -1,    53,    54,    55,
      56,    57,    58,    59,    60,    61,    62,    63,    12,    -1,
      -1,    -1,    -1,    17,    -1,    19,    -1,    21,    25,    26,
      27,    28,    29,    30,    31,    32,    33,    34,    35,    18,
      -1,    35,    36,    -1,    38,    39,    40,    41,    42,    43,
      -1,    -1,    46,    47,    48,    -1,    -1,    -1,    -1,    53,
      54,    55,    56,    57,    58,    59,    60,    61,    62,    63,
      49,    50,    51,    52,    53,    54,    55,    56,    57,    58,
      59,    60,    61,    62,    63,    64,    65,    66,    67,    68,
      20,    49,    50,    51,    52,    53,    54,    55,    56,    57,
      58,    59,    60,    61,    62,    63,    64,    65,    66,    67,
      68,    -1,    -1,    -1,    -1,    -1,    -1,    -1,    -1,    49,
      50,    51,    52,    53,    54,    55,    56,    57,    58,    59,
      60,    61,    62,    63,    64,    65,    66,    67,    68,    50,
      51,    52,    53,    54,    55,    56,    57,    58,    59,    60,
      61,    62,    63,    64,    65,    66,    67,    68,    51,    52,
      53,    54,    55,    56,    57,    58,    59,    60,    61,    62,
      63,    64,    65,    66,    67,    68,    52,    53,    54,    55,
      56,    57,    58,    59,    60,    61,    62,    63,    64,    65,
      66,    67,    68,    53,    54,    55,    56,    57,    58,    59,
      60,    61,    62,    63,    64,    65,    66,    67,    68
};

/* YYSTOS[STATE-NUM] -- The symbol kind of the accessing symbol of
   state STATE-NUM.  */
static const yytype_int8 yystos[] =
{
       0,    10,    12,    17,    19,    21,    23,    24,    26,    27,
      32,    33,    34,    35,    36,    37,    38,    39,    40,    41,
      42,    43,    46,    47,    48,    53,    54,    55,    56,    57,
      58,    59,    60,    61,    62,    63,    70,    72,    73,    74,
      75,    76,    77,    83,    87,    89,    91,    92,    94,    95,
      96,    97,    99,   100,   101,   102,   107,   109,   110,   111,
     112,   113,   114,   115,    46,    47,    48,   100,   109,   110,
     111,   113,   115,    99,    10,    88,    90,    92,    99,   109,
     116,   117,   118,   119,   120,    72,    99,    38,   108,   108,
     108,   108,    17,    86,   108,   110,    99,    13,    99,   100,
     100,   100,   100,   100,   100,   100,   100,   100,   100,   100,
       0,    15,    16,    71,    75,    76,    81,    99,   109,     7,
       8,    12,    14,    78,    79,    80,    71,    93,    94,    95,
      96,    97,   112,    49,    50,    51,    52,    53,    54,    55,
      56,    57,    58,    59,    60,    61,    62,    63,    64,    65,
      66,    67,    68,     9,    10,    17,    19,    13,    11,    44,
      45,    18,    99,    71,    71,    93,   112,    11,    20,    88,
     118,   120,    71,    15,    16,    22,    25,    71,    11,    11,
      84,    85,    86,   110,    16,    74,    81,    78,    82,    11,
      17,   108,     8,    79,    93,   112,    28,    29,    30,    98,
      99,    99,    99,    99,    99,    99,    99,    99,    99,    99,
      99,    99,    99,    99,    99,    99,    99,    99,    99,    99,
      38,    46,    47,    48,   103,   109,   110,    99,   105,   106,
      99,   104,    77,    99,   109,    99,    93,   112,    98,    99,
      71,    15,    16,    15,    99,   108,    99,    99,    18,    71,
      83,    99,   108,    98,   112,   112,   112,    18,    71,    20,
       8,    98,    15,    25,    86,    82,    71,    99,    99,   104,
      99,   108,    20,    18
};

/* YYR1[RULE-NUM] -- Symbol kind of the left-hand side of rule RULE-NUM.  */
static const yytype_int8 yyr1[] =
{
       0,    69,    70,    70,    70,    71,    71,    72,    72,    72,
      73,    73,    74,    74,    74,    74,    74,    74,    74,    74,
      74,    74,    74,    75,    75,    76,    76,    77,    77,    77,
      77,    77,    77,    77,    77,    78,    78,    78,    79,    79,
      80,    80,    81,    81,    81,    82,    82,    83,    84,    84,
      84,    85,    85,    86,    86,    87,    87,    88,    88,    89,
      89,    89,    90,    90,    90,    91,    91,    92,    92,    93,
      93,    93,    93,    94,    94,    95,    96,    97,    97,    98,
      98,    98,    98,    99,    99,    99,    99,    99,    99,    99,
      99,    99,    99,    99,    99,    99,    99,    99,    99,    99,
      99,    99,    99,    99,   100,   100,   100,   100,   100,   100,
     100,   100,   100,   100,   100,   100,   100,   101,   101,   101,
     101,   101,   101,   101,   102,   102,   103,   103,   103,   103,
     103,   104,   104,   105,   105,   105,   106,   106,   107,   107,
     107,   107,   107,   107,   107,   107,   107,   107,   107,   107,
     107,   108,   109,   109,   110,   111,   112,   113,   114,   114,
     115,   116,   116,   116,   116,   117,   117,   117,   117,   117,
     117,   118,   118,   118,   118,   118,   119,   119,   120,   120
};

/* YYR2[RULE-NUM] -- Number of symbols on the right-hand side of rule RULE-NUM.  */
static const yytype_int8 yyr2[] =
{
       0,     2,     1,     2,     3,     1,     1,     0,     1,     2,
       1,     3,     2,     1,     2,     3,     1,     1,     1,     1,
       2,     2,     4,     2,     3,     1,     3,     1,     1,     1,
       1,     1,     1,     1,     1,     1,     1,     2,     1,     1,
       2,     6,     2,     4,     2,     0,     2,     1,     0,     1,
       2,     1,     3,     1,     2,     3,     4,     3,     4,     1,
       2,     3,     1,     2,     3,     1,     1,     1,     1,     1,
       1,     1,     1,     4,     6,     2,     4,     1,     4,     0,
       2,     2,     2,     1,     3,     3,     3,     3,     3,     3,
       3,     3,     3,     3,     3,     3,     3,     3,     3,     3,
       3,     3,     3,     3,     1,     2,     2,     2,     2,     2,
       2,     2,     2,     2,     2,     2,     2,     1,     1,     2,
       2,     6,     4,     2,     3,     4,     1,     1,     1,     1,
       1,     0,     1,     0,     1,     2,     1,     3,     1,     1,
       1,     1,     1,     1,     1,     1,     1,     1,     1,     1,
       1,     1,     1,     1,     1,     3,     3,     2,     2,     3,
       3,     0,     1,     1,     2,     2,     3,     2,     3,     4,
       3,     1,     2,     1,     1,     2,     1,     2,     1,     3
};


enum { YYENOMEM = -2 };

#define yyerrok         (yyerrstatus = 0)
#define yyclearin       (yychar = T_LREMPTY)

#define YYACCEPT        goto yyacceptlab
#define YYABORT         goto yyabortlab
#define YYERROR         goto yyerrorlab
#define YYNOMEM         goto yyexhaustedlab


#define YYRECOVERING()  (!!yyerrstatus)

#define YYBACKUP(Token, Value)                                    \
  do                                                              \
    if (yychar == T_LREMPTY)                                        \
      {                                                           \
        yychar = (Token);                                         \
        yylval = (Value);                                         \
        YYPOPSTACK (yylen);                                       \
        yystate = *yyssp;                                         \
        goto yybackup;                                            \
      }                                                           \
    else                                                          \
      {                                                           \
        yyerror (&yylloc, p, YY_("syntax error: cannot back up")); \
        YYERROR;                                                  \
      }                                                           \
  while (0)

/* Backward compatibility with an undocumented macro.
   Use T_LRerror or T_LRUNDEF. */
#define YYERRCODE T_LRUNDEF

/* YYLLOC_DEFAULT -- Set CURRENT to span from RHS[1] to RHS[N].
   If N is 0, then set CURRENT to the empty location which ends
   the previous symbol: RHS[0] (always defined).  */

#ifndef YYLLOC_DEFAULT
# define YYLLOC_DEFAULT(Current, Rhs, N)                                \
    do                                                                  \
      if (N)                                                            \
        {                                                               \
          (Current).first_line   = YYRHSLOC (Rhs, 1).first_line;        \
          (Current).first_column = YYRHSLOC (Rhs, 1).first_column;      \
          (Current).last_line    = YYRHSLOC (Rhs, N).last_line;         \
          (Current).last_column  = YYRHSLOC (Rhs, N).last_column;       \
        }                                                               \
      else                                                              \
        {                                                               \
          (Current).first_line   = (Current).last_line   =              \
            YYRHSLOC (Rhs, 0).last_line;                                \
          (Current).first_column = (Current).last_column =              \
            YYRHSLOC (Rhs, 0).last_column;                              \
        }                                                               \
    while (0)
#endif

#define YYRHSLOC(Rhs, K) ((Rhs)[K])


/* Enable debugging if requested.  */
#if LRDEBUG

# ifndef YYFPRINTF
#  include <stdio.h> /* INFRINGES ON USER NAME SPACE */
#  define YYFPRINTF fprintf
# endif

# define YYDPRINTF(Args)                        \
do {                                            \
  if (yydebug)                                  \
    YYFPRINTF Args;                             \
} while (0)


/* YYLOCATION_PRINT -- Print the location on the stream.
   This macro was not mandated originally: define only if we know
   we won't break user code: when these are the locations we know.  */

# ifndef YYLOCATION_PRINT

#  if defined YY_LOCATION_PRINT

   /* Temporary convenience wrapper in case some people defined the
      undocumented and private YY_LOCATION_PRINT macros.  */
#   define YYLOCATION_PRINT(File, Loc)  YY_LOCATION_PRINT(File, *(Loc))

#  elif defined LRLTYPE_IS_TRIVIAL && LRLTYPE_IS_TRIVIAL

/* Print *YYLOCP on YYO.  Private, do not rely on its existence. */

YY_ATTRIBUTE_UNUSED
static int
yy_location_print_ (FILE *yyo, YYLTYPE const * const yylocp)
{
  int res = 0;
  int end_col = 0 != yylocp->last_column ? yylocp->last_column - 1 : 0;
  if (0 <= yylocp->first_line)
    {
      res += YYFPRINTF (yyo, "%d", yylocp->first_line);
      if (0 <= yylocp->first_column)
        res += YYFPRINTF (yyo, ".%d", yylocp->first_column);
    }
  if (0 <= yylocp->last_line)
    {
      if (yylocp->first_line < yylocp->last_line)
        {
          res += YYFPRINTF (yyo, "-%d", yylocp->last_line);
          if (0 <= end_col)
            res += YYFPRINTF (yyo, ".%d", end_col);
        }
      else if (0 <= end_col && yylocp->first_column < end_col)
        res += YYFPRINTF (yyo, "-%d", end_col);
    }
  return res;
}

#   define YYLOCATION_PRINT  yy_location_print_

    /* Temporary convenience wrapper in case some people defined the
       undocumented and private YY_LOCATION_PRINT macros.  */
#   define YY_LOCATION_PRINT(File, Loc)  YYLOCATION_PRINT(File, &(Loc))

#  else

#   define YYLOCATION_PRINT(File, Loc) ((void) 0)
    /* Temporary convenience wrapper in case some people defined the
       undocumented and private YY_LOCATION_PRINT macros.  */
#   define YY_LOCATION_PRINT  YYLOCATION_PRINT

#  endif
# endif /* !defined YYLOCATION_PRINT */


# define YY_SYMBOL_PRINT(Title, Kind, Value, Location)                    \
do {                                                                      \
  if (yydebug)                                                            \
    {                                                                     \
      YYFPRINTF (stderr, "%s ", Title);                                   \
      yy_symbol_print (stderr,                                            \
                  Kind, Value, Location, p); \
      YYFPRINTF (stderr, "\n");                                           \
    }                                                                     \
} while (0)


/*-----------------------------------.
| Print this symbol's value on YYO.  |
`-----------------------------------*/

static void
yy_symbol_value_print (FILE *yyo,
                       yysymbol_kind_t yykind, YYSTYPE const * const yyvaluep, YYLTYPE const * const yylocationp, Parser *p)
{
  FILE *yyoutput = yyo;
  YY_USE (yyoutput);
  YY_USE (yylocationp);
  YY_USE (p);
  if (!yyvaluep)
    return;
  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  YY_USE (yykind);
  YY_IGNORE_MAYBE_UNINITIALIZED_END
}


/*---------------------------.
| Print this symbol on YYO.  |
`---------------------------*/

static void
yy_symbol_print (FILE *yyo,
                 yysymbol_kind_t yykind, YYSTYPE const * const yyvaluep, YYLTYPE const * const yylocationp, Parser *p)
{
  YYFPRINTF (yyo, "%s %s (",
             yykind < YYNTOKENS ? "token" : "nterm", yysymbol_name (yykind));

  YYLOCATION_PRINT (yyo, yylocationp);
  YYFPRINTF (yyo, ": ");
  yy_symbol_value_print (yyo, yykind, yyvaluep, yylocationp, p);
  YYFPRINTF (yyo, ")");
}

/*------------------------------------------------------------------.
| yy_stack_print -- Print the state stack from its BOTTOM up to its |
| TOP (included).                                                   |
`------------------------------------------------------------------*/

static void
yy_stack_print (yy_state_t *yybottom, yy_state_t *yytop)
{
  YYFPRINTF (stderr, "Stack now");
  for (; yybottom <= yytop; yybottom++)
    {
      int yybot = *yybottom;
      YYFPRINTF (stderr, " %d", yybot);
    }
  YYFPRINTF (stderr, "\n");
}

# define YY_STACK_PRINT(Bottom, Top)                            \
do {                                                            \
  if (yydebug)                                                  \
    yy_stack_print ((Bottom), (Top));                           \
} while (0)


/*------------------------------------------------.
| Report that the YYRULE is going to be reduced.  |
`------------------------------------------------*/

static void
yy_reduce_print (yy_state_t *yyssp, YYSTYPE *yyvsp, YYLTYPE *yylsp,
                 int yyrule, Parser *p)
{
  int yylno = yyrline[yyrule];
  int yynrhs = yyr2[yyrule];
  int yyi;
  YYFPRINTF (stderr, "Reducing stack by rule %d (line %d):\n",
             yyrule - 1, yylno);
  /* The symbols being reduced.  */
  for (yyi = 0; yyi < yynrhs; yyi++)
    {
      YYFPRINTF (stderr, "   $%d = ", yyi + 1);
      yy_symbol_print (stderr,
                       YY_ACCESSING_SYMBOL (+yyssp[yyi + 1 - yynrhs]),
                       &yyvsp[(yyi + 1) - (yynrhs)],
                       &(yylsp[(yyi + 1) - (yynrhs)]), p);
      YYFPRINTF (stderr, "\n");
    }
}

# define YY_REDUCE_PRINT(Rule)          \
do {                                    \
  if (yydebug)                          \
    yy_reduce_print (yyssp, yyvsp, yylsp, Rule, p); \
} while (0)

/* Nonzero means print parse trace.  It is left uninitialized so that
   multiple parsers can coexist.  */
int yydebug;
#else /* !LRDEBUG */
# define YYDPRINTF(Args) ((void) 0)
# define YY_SYMBOL_PRINT(Title, Kind, Value, Location)
# define YY_STACK_PRINT(Bottom, Top)
# define YY_REDUCE_PRINT(Rule)
#endif /* !LRDEBUG */


/* YYINITDEPTH -- initial size of the parser's stacks.  */
#ifndef YYINITDEPTH
# define YYINITDEPTH 200
#endif

/* YYMAXDEPTH -- maximum size the stacks can grow to (effective only
   if the built-in stack extension method is used).

   Do not make this value too large; the results are undefined if
   YYSTACK_ALLOC_MAXIMUM < YYSTACK_BYTES (YYMAXDEPTH)
   evaluated with infinite-precision integer arithmetic.  */

#ifndef YYMAXDEPTH
# define YYMAXDEPTH 10000
#endif
/* Parser data structure.  */
struct yypstate
  {
    /* Number of syntax errors so far.  */
    int yynerrs;

    yy_state_fast_t yystate;
    /* Number of tokens to shift before error messages enabled.  */
    int yyerrstatus;

    /* Refer to the stacks through separate pointers, to allow yyoverflow
       to reallocate them elsewhere.  */

    /* Their size.  */
    YYPTRDIFF_T yystacksize;

    /* The state stack: array, bottom, top.  */
    yy_state_t yyssa[YYINITDEPTH];
    yy_state_t *yyss;
    yy_state_t *yyssp;

    /* The semantic value stack: array, bottom, top.  */
    YYSTYPE yyvsa[YYINITDEPTH];
    YYSTYPE *yyvs;
    YYSTYPE *yyvsp;

    /* The location stack: array, bottom, top.  */
    YYLTYPE yylsa[YYINITDEPTH];
    YYLTYPE *yyls;
    YYLTYPE *yylsp;
    /* Whether this instance has not started parsing yet.
     * If 2, it corresponds to a finished parsing.  */
    int yynew;
  };


/* Context of a parse error.  */
typedef struct
{
  yypstate* yyps;
  yysymbol_kind_t yytoken;
  YYLTYPE *yylloc;
} yypcontext_t;

/* Put in YYARG at most YYARGN of the expected tokens given the
   current YYCTX, and return the number of tokens stored in YYARG.  If
   YYARG is null, return the number of expected tokens (guaranteed to
   be less than YYNTOKENS).  Return YYENOMEM on memory exhaustion.
   Return 0 if there are more than YYARGN expected tokens, yet fill
   YYARG up to YYARGN. */
static int
yypstate_expected_tokens (yypstate *yyps,
                          yysymbol_kind_t yyarg[], int yyargn)
{
  /* Actual size of YYARG. */
  int yycount = 0;
  int yyn = yypact[+*yyps->yyssp];
  if (!yypact_value_is_default (yyn))
    {
      /* Start YYX at -YYN if negative to avoid negative indexes in
         YYCHECK.  In other words, skip the first -YYN actions for
         this state because they are default actions.  */
      int yyxbegin = yyn < 0 ? -yyn : 0;
      /* Stay within bounds of both yycheck and yytname.  */
      int yychecklim = YYLAST - yyn + 1;
      int yyxend = yychecklim < YYNTOKENS ? yychecklim : YYNTOKENS;
      int yyx;
      for (yyx = yyxbegin; yyx < yyxend; ++yyx)
        if (yycheck[yyx + yyn] == yyx && yyx != YYSYMBOL_YYerror
            && !yytable_value_is_error (yytable[yyx + yyn]))
          {
            if (!yyarg)
              ++yycount;
            else if (yycount == yyargn)
              return 0;
            else
              yyarg[yycount++] = YY_CAST (yysymbol_kind_t, yyx);
          }
    }
  if (yyarg && yycount == 0 && 0 < yyargn)
    yyarg[0] = YYSYMBOL_YYEMPTY;
  return yycount;
}


/* Similar to the previous function.  */
static int
yypcontext_expected_tokens (const yypcontext_t *yyctx,
                            yysymbol_kind_t yyarg[], int yyargn)
{
  return yypstate_expected_tokens (yyctx->yyps, yyarg, yyargn);
}


/* The kind of the lookahead of this context.  */
static yysymbol_kind_t
yypcontext_token (const yypcontext_t *yyctx) YY_ATTRIBUTE_UNUSED;

static yysymbol_kind_t
yypcontext_token (const yypcontext_t *yyctx)
{
  return yyctx->yytoken;
}

/* The location of the lookahead of this context.  */
static YYLTYPE *
yypcontext_location (const yypcontext_t *yyctx) YY_ATTRIBUTE_UNUSED;

static YYLTYPE *
yypcontext_location (const yypcontext_t *yyctx)
{
  return yyctx->yylloc;
}

/* User defined function to report a syntax error.  */
static int
yyreport_syntax_error (const yypcontext_t *yyctx, Parser *p);

/*-----------------------------------------------.
| Release the memory associated to this symbol.  |
`-----------------------------------------------*/

static void
yydestruct (const char *yymsg,
            yysymbol_kind_t yykind, YYSTYPE *yyvaluep, YYLTYPE *yylocationp, Parser *p)
{
  YY_USE (yyvaluep);
  YY_USE (yylocationp);
  YY_USE (p);
  if (!yymsg)
    yymsg = "Deleting";
  YY_SYMBOL_PRINT (yymsg, yykind, yyvaluep, yylocationp);

  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  YY_USE (yykind);
  YY_IGNORE_MAYBE_UNINITIALIZED_END
}





#define lrnerrs yyps->lrnerrs
#define yystate yyps->yystate
#define yyerrstatus yyps->yyerrstatus
#define yyssa yyps->yyssa
#define yyss yyps->yyss
#define yyssp yyps->yyssp
#define yyvsa yyps->yyvsa
#define yyvs yyps->yyvs
#define yyvsp yyps->yyvsp
#define yylsa yyps->yylsa
#define yyls yyps->yyls
#define yylsp yyps->yylsp
#define yystacksize yyps->yystacksize

/* Initialize the parser data structure.  */
static void
yypstate_clear (yypstate *yyps)
{
  yynerrs = 0;
  yystate = 0;
  yyerrstatus = 0;

  yyssp = yyss;
  yyvsp = yyvs;
  yylsp = yyls;

  /* Initialize the state stack, in case yypcontext_expected_tokens is
     called before the first call to yyparse. */
  *yyssp = 0;
  yyps->yynew = 1;
}

/* Initialize the parser data structure.  */
yypstate *
yypstate_new (void)
{
  yypstate *yyps;
  yyps = YY_CAST (yypstate *, YYMALLOC (sizeof *yyps));
  if (!yyps)
    return YY_NULLPTR;
  yystacksize = YYINITDEPTH;
  yyss = yyssa;
  yyvs = yyvsa;
  yyls = yylsa;
  yypstate_clear (yyps);
  return yyps;
}

void
yypstate_delete (yypstate *yyps)
{
  if (yyps)
    {
#ifndef yyoverflow
      /* If the stack was reallocated but the parse did not complete, then the
         stack still needs to be freed.  */
      if (yyss != yyssa)
        YYSTACK_FREE (yyss);
#endif
      YYFREE (yyps);
    }
}



/*---------------.
| yypush_parse.  |
`---------------*/

int
yypush_parse (yypstate *yyps,
              int yypushed_char, YYSTYPE const *yypushed_val, YYLTYPE *yypushed_loc, Parser *p)
{
/* Lookahead token kind.  */
int yychar;


/* The semantic value of the lookahead symbol.  */
/* Default value used for initialization, for pacifying older GCCs
   or non-GCC compilers.  */
YY_INITIAL_VALUE (static YYSTYPE yyval_default;)
YYSTYPE yylval YY_INITIAL_VALUE (= yyval_default);

/* Location data for the lookahead symbol.  */
static YYLTYPE yyloc_default
# if defined LRLTYPE_IS_TRIVIAL && LRLTYPE_IS_TRIVIAL
  = { 1, 1, 1, 1 }
# endif
;
YYLTYPE yylloc = yyloc_default;

  int yyn;
  /* The return value of yyparse.  */
  int yyresult;
  /* Lookahead symbol kind.  */
  yysymbol_kind_t yytoken = YYSYMBOL_YYEMPTY;
  /* The variables used to return semantic value and location from the
     action routines.  */
  YYSTYPE yyval;
  YYLTYPE yyloc;

  /* The locations where the error started and ended.  */
  YYLTYPE yyerror_range[3];



#define YYPOPSTACK(N)   (yyvsp -= (N), yyssp -= (N), yylsp -= (N))

  /* The number of symbols on the RHS of the reduced rule.
     Keep to zero when no symbol should be popped.  */
  int yylen = 0;

  switch (yyps->yynew)
    {
    case 0:
      yyn = yypact[yystate];
      goto yyread_pushed_token;

    case 2:
      yypstate_clear (yyps);
      break;

    default:
      break;
    }

  YYDPRINTF ((stderr, "Starting parse\n"));

  yychar = T_LREMPTY; /* Cause a token to be read.  */

  yylsp[0] = *yypushed_loc;
  goto yysetstate;


/*------------------------------------------------------------.
| yynewstate -- push a new state, which is found in yystate.  |
`------------------------------------------------------------*/
yynewstate:
  /* In all cases, when you get here, the value and location stacks
     have just been pushed.  So pushing a state here evens the stacks.  */
  yyssp++;


/*--------------------------------------------------------------------.
| yysetstate -- set current state (the top of the stack) to yystate.  |
`--------------------------------------------------------------------*/
yysetstate:
  YYDPRINTF ((stderr, "Entering state %d\n", yystate));
  YY_ASSERT (0 <= yystate && yystate < YYNSTATES);
  YY_IGNORE_USELESS_CAST_BEGIN
  *yyssp = YY_CAST (yy_state_t, yystate);
  YY_IGNORE_USELESS_CAST_END
  YY_STACK_PRINT (yyss, yyssp);

  if (yyss + yystacksize - 1 <= yyssp)
#if !defined yyoverflow && !defined YYSTACK_RELOCATE
    YYNOMEM;
#else
    {
      /* Get the current used size of the three stacks, in elements.  */
      YYPTRDIFF_T yysize = yyssp - yyss + 1;

# if defined yyoverflow
      {
        /* Give user a chance to reallocate the stack.  Use copies of
           these so that the &'s don't force the real ones into
           memory.  */
        yy_state_t *yyss1 = yyss;
        YYSTYPE *yyvs1 = yyvs;
        YYLTYPE *yyls1 = yyls;

        /* Each stack pointer address is followed by the size of the
           data in use in that stack, in bytes.  This used to be a
           conditional around just the two extra args, but that might
           be undefined if yyoverflow is a macro.  */
        yyoverflow (YY_("memory exhausted"),
                    &yyss1, yysize * YYSIZEOF (*yyssp),
                    &yyvs1, yysize * YYSIZEOF (*yyvsp),
                    &yyls1, yysize * YYSIZEOF (*yylsp),
                    &yystacksize);
        yyss = yyss1;
        yyvs = yyvs1;
        yyls = yyls1;
      }
# else /* defined YYSTACK_RELOCATE */
      /* Extend the stack our own way.  */
      if (YYMAXDEPTH <= yystacksize)
        YYNOMEM;
      yystacksize *= 2;
      if (YYMAXDEPTH < yystacksize)
        yystacksize = YYMAXDEPTH;

      {
        yy_state_t *yyss1 = yyss;
        union yyalloc *yyptr =
          YY_CAST (union yyalloc *,
                   YYSTACK_ALLOC (YY_CAST (YYSIZE_T, YYSTACK_BYTES (yystacksize))));
        if (! yyptr)
          YYNOMEM;
        YYSTACK_RELOCATE (yyss_alloc, yyss);
        YYSTACK_RELOCATE (yyvs_alloc, yyvs);
        YYSTACK_RELOCATE (yyls_alloc, yyls);
#  undef YYSTACK_RELOCATE
        if (yyss1 != yyssa)
          YYSTACK_FREE (yyss1);
      }
# endif

      yyssp = yyss + yysize - 1;
      yyvsp = yyvs + yysize - 1;
      yylsp = yyls + yysize - 1;

      YY_IGNORE_USELESS_CAST_BEGIN
      YYDPRINTF ((stderr, "Stack size increased to %ld\n",
                  YY_CAST (long, yystacksize)));
      YY_IGNORE_USELESS_CAST_END

      if (yyss + yystacksize - 1 <= yyssp)
        YYABORT;
    }
#endif /* !defined yyoverflow && !defined YYSTACK_RELOCATE */


  if (yystate == YYFINAL)
    YYACCEPT;

  goto yybackup;


/*-----------.
| yybackup.  |
`-----------*/
yybackup:
  /* Do appropriate processing given the current state.  Read a
     lookahead token if we need one and don't already have one.  */

  /* First try to decide what to do without reference to lookahead token.  */
  yyn = yypact[yystate];
  if (yypact_value_is_default (yyn))
    goto yydefault;

  /* Not known => get a lookahead token if don't already have one.  */

  /* YYCHAR is either empty, or end-of-input, or a valid lookahead.  */
  if (yychar == T_LREMPTY)
    {
      if (!yyps->yynew)
        {
          YYDPRINTF ((stderr, "Return for a new token:\n"));
          yyresult = YYPUSH_MORE;
          goto yypushreturn;
        }
      yyps->yynew = 0;
yyread_pushed_token:
      YYDPRINTF ((stderr, "Reading a token\n"));
      yychar = yypushed_char;
      if (yypushed_val)
        yylval = *yypushed_val;
      if (yypushed_loc)
        yylloc = *yypushed_loc;
    }

  if (yychar <= T_EOF)
    {
      yychar = T_EOF;
      yytoken = YYSYMBOL_YYEOF;
      YYDPRINTF ((stderr, "Now at end of input.\n"));
    }
  else if (yychar == T_LRerror)
    {
      /* The scanner already issued an error message, process directly
         to error recovery.  But do not keep the error token as
         lookahead, it is too special and may lead us to an endless
         loop in error recovery. */
      yychar = T_LRUNDEF;
      yytoken = YYSYMBOL_YYerror;
      yyerror_range[1] = yylloc;
      goto yyerrlab1;
    }
  else
    {
      yytoken = YYTRANSLATE (yychar);
      YY_SYMBOL_PRINT ("Next token is", yytoken, &yylval, &yylloc);
    }

  /* If the proper action on seeing token YYTOKEN is to reduce or to
     detect an error, take that action.  */
  yyn += yytoken;
  if (yyn < 0 || YYLAST < yyn || yycheck[yyn] != yytoken)
    goto yydefault;
  yyn = yytable[yyn];
  if (yyn <= 0)
    {
      if (yytable_value_is_error (yyn))
        goto yyerrlab;
      yyn = -yyn;
      goto yyreduce;
    }

  /* Count tokens shifted since error; after three, turn off error
     status.  */
  if (yyerrstatus)
    yyerrstatus--;

  /* Shift the lookahead token.  */
  YY_SYMBOL_PRINT ("Shifting", yytoken, &yylval, &yylloc);
  yystate = yyn;
  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  *++yyvsp = yylval;
  YY_IGNORE_MAYBE_UNINITIALIZED_END
  *++yylsp = yylloc;

  /* Discard the shifted token.  */
  yychar = T_LREMPTY;
  goto yynewstate;


/*-----------------------------------------------------------.
| yydefault -- do the default action for the current state.  |
`-----------------------------------------------------------*/
yydefault:
  yyn = yydefact[yystate];
  if (yyn == 0)
    goto yyerrlab;
  goto yyreduce;


/*-----------------------------.
| yyreduce -- do a reduction.  |
`-----------------------------*/
yyreduce:
  /* yyn is the number of a rule to reduce with.  */
  yylen = yyr2[yyn];

  /* If YYLEN is nonzero, implement the default value of the action:
     '$$ = $1'.

     Otherwise, the following line sets YYVAL to garbage.
     This behavior is undocumented and Bison
     users should not rely upon it.  Assigning to YYVAL
     unconditionally makes the parser a bit smaller, and it avoids a
     GCC warning that YYVAL may be used uninitialized.  */
  yyval = yyvsp[1-yylen];

  /* Default location. */
  YYLLOC_DEFAULT (yyloc, (yylsp - yylen), yylen);
  yyerror_range[1] = yyloc;
  YY_REDUCE_PRINT (yyn);
  switch (yyn)
    {
  case 2: /* start: decls  */
#line 69 "compiler/parse.y"
                                  { p->decls = (yyvsp[0].list); }
#line 1977 "y.tab.c"
    break;

  case 3: /* start: START_EXPR expr  */
#line 70 "compiler/parse.y"
                                  { p->expr = (yyvsp[0].node); }
#line 1983 "y.tab.c"
    break;

  case 4: /* start: START_EXPR expr NEWLINE  */
#line 71 "compiler/parse.y"
                                  { p->expr = (yyvsp[-1].node); }
#line 1989 "y.tab.c"
    break;

  case 7: /* decls: %empty  */
#line 79 "compiler/parse.y"
                                  { (yyval.list) = (AstList){0}; }
#line 1995 "y.tab.c"
    break;

  case 10: /* decl_seq: decl  */
#line 84 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[0].node)); }
#line 2001 "y.tab.c"
    break;

  case 11: /* decl_seq: decl_seq sep decl  */
#line 85 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[0].node)); }
#line 2007 "y.tab.c"
    break;

  case 12: /* decl: head value  */
#line 89 "compiler/parse.y"
                                  { (yyval.node) = node_field(p, (yyvsp[-1].node), (yyvsp[0].rest)); }
#line 2013 "y.tab.c"
    break;

  case 13: /* decl: expr  */
#line 90 "compiler/parse.y"
                                  { (yyval.node) = node_wrap(p, AST_EMBED, (yylsp[0]), (yyvsp[0].node)); }
#line 2019 "y.tab.c"
    break;

  case 14: /* decl: label tail  */
#line 91 "compiler/parse.y"
                                  { (yyval.node) = node_wrap(p, AST_EMBED, (yylsp[-1]), (yyvsp[-1].node)); }
#line 2025 "y.tab.c"
    break;

  case 15: /* decl: name BIND expr  */
#line 92 "compiler/parse.y"
                                  { (yyval.node) = node_old_alias(p, (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2031 "y.tab.c"
    break;

  case 18: /* decl: ELLIPSIS  */
#line 95 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_ELLIPSIS, (yylsp[0])); }
#line 2037 "y.tab.c"
    break;

  case 20: /* decl: PACKAGE ident  */
#line 97 "compiler/parse.y"
                                  { (yyval.node) = node_package(p, (yyloc), (yyvsp[0].node)); }
#line 2043 "y.tab.c"
    break;

  case 21: /* decl: IMPORT import_spec  */
#line 98 "compiler/parse.y"
                                  { (yyval.node) = node_imports(p, (yylsp[-1]), (Span){0}, node_list1(p, (yyvsp[0].node)), (Span){0}); }
#line 2049 "y.tab.c"
    break;

  case 22: /* decl: IMPORT LPAREN specs RPAREN  */
#line 99 "compiler/parse.y"
                                  { (yyval.node) = node_imports(p, (yylsp[-3]), (yylsp[-2]), (yyvsp[-1].list), (yylsp[0])); }
#line 2055 "y.tab.c"
    break;

  case 23: /* head: label COLON  */
#line 103 "compiler/parse.y"
                                  { (yyval.node) = node_head(p, (yyvsp[-1].node), NULL, (yylsp[0]).pos); }
#line 2061 "y.tab.c"
    break;

  case 24: /* head: label tail COLON  */
#line 104 "compiler/parse.y"
                                  { (yyval.node) = node_head(p, (yyvsp[-2].node), (yyvsp[-1].node), (yylsp[0]).pos); }
#line 2067 "y.tab.c"
    break;

  case 26: /* label: name BIND plain_label  */
#line 108 "compiler/parse.y"
                                  { (yyval.node) = node_alias(p, (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2073 "y.tab.c"
    break;

  case 32: /* plain_label: TRUE  */
#line 112 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_TRUE, (yylsp[0]), (yyvsp[0].text)); }
#line 2079 "y.tab.c"
    break;

  case 33: /* plain_label: FALSE  */
#line 113 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_FALSE, (yylsp[0]), (yyvsp[0].text)); }
#line 2085 "y.tab.c"
    break;

  case 34: /* plain_label: NULL  */
#line 114 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_NULL, (yylsp[0]), (yyvsp[0].text)); }
#line 2091 "y.tab.c"
    break;

  case 37: /* tail: postfix_alias mark  */
#line 120 "compiler/parse.y"
                                  { (yyval.node) = (yyvsp[-1].node); (yyval.node)->constraint = (yyvsp[0].node)->constraint; }
#line 2097 "y.tab.c"
    break;

  case 38: /* mark: NOT  */
#line 123 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_FIELD, (yylsp[0])); (yyval.node)->constraint = TOK_NOT; }
#line 2103 "y.tab.c"
    break;

  case 39: /* mark: OPTIONAL  */
#line 124 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_FIELD, (yylsp[0])); (yyval.node)->constraint = TOK_OPTION; }
#line 2109 "y.tab.c"
    break;

  case 40: /* postfix_alias: TILDE ident  */
#line 127 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_FIELD, (yyloc)); (yyval.node)->u.field.alias_field = (yyvsp[0].node); (yyval.node)->u.field.tilde = (yylsp[-1]).pos; }
#line 2115 "y.tab.c"
    break;

  case 41: /* postfix_alias: TILDE LPAREN ident sep ident RPAREN  */
#line 129 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_FIELD, (yyloc)); (yyval.node)->u.field.alias_label = (yyvsp[-3].node); (yyval.node)->u.field.alias_field = (yyvsp[-1].node);
                                    (yyval.node)->u.field.tilde = (yylsp[-5]).pos; }
#line 2122 "y.tab.c"
    break;

  case 42: /* value: expr attrs  */
#line 133 "compiler/parse.y"
                                  { (yyval.rest) = (FieldRest){(yyvsp[-1].node), (yyvsp[0].list)}; }
#line 2128 "y.tab.c"
    break;

  case 43: /* value: name BIND expr attrs  */
#line 134 "compiler/parse.y"
                                  { (yyval.rest) = (FieldRest){node_alias(p, (yyvsp[-3].node), (yylsp[-2]).pos, (yyvsp[-1].node)), (yyvsp[0].list)}; }
#line 2134 "y.tab.c"
    break;

  case 44: /* value: head value  */
#line 135 "compiler/parse.y"
                                  { (yyval.rest) = (FieldRest){node_chain(p, node_field(p, (yyvsp[-1].node), (yyvsp[0].rest))), {0}}; }
#line 2140 "y.tab.c"
    break;

  case 45: /* attrs: %empty  */
#line 138 "compiler/parse.y"
                                  { (yyval.list) = (AstList){0}; }
#line 2146 "y.tab.c"
    break;

  case 46: /* attrs: attrs attribute  */
#line 139 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-1].list), (yyvsp[0].node)); }
#line 2152 "y.tab.c"
    break;

  case 47: /* attribute: ATTRIBUTE  */
#line 141 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_ATTRIBUTE, (yylsp[0]), (yyvsp[0].text)); }
#line 2158 "y.tab.c"
    break;

  case 48: /* specs: %empty  */
#line 143 "compiler/parse.y"
                                  { (yyval.list) = (AstList){0}; }
#line 2164 "y.tab.c"
    break;

  case 51: /* spec_seq: import_spec  */
#line 145 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[0].node)); }
#line 2170 "y.tab.c"
    break;

  case 52: /* spec_seq: spec_seq sep import_spec  */
#line 146 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[0].node)); }
#line 2176 "y.tab.c"
    break;

  case 53: /* import_spec: string  */
#line 149 "compiler/parse.y"
                                  { (yyval.node) = node_import(p, NULL, (yyvsp[0].node)); }
#line 2182 "y.tab.c"
    break;

  case 54: /* import_spec: ident string  */
#line 150 "compiler/parse.y"
                                  { (yyval.node) = node_import(p, (yyvsp[-1].node), (yyvsp[0].node)); }
#line 2188 "y.tab.c"
    break;

  case 55: /* comp_decl: decl_clauses struct fallback  */
#line 156 "compiler/parse.y"
                                      { (yyval.node) = node_comprehension(p, (yyvsp[-2].list), (yyvsp[-1].node), (yyvsp[0].node)); }
#line 2194 "y.tab.c"
    break;

  case 56: /* comp_decl: decl_clauses sep struct fallback  */
#line 157 "compiler/parse.y"
                                      { (yyval.node) = node_comprehension(p, (yyvsp[-3].list), (yyvsp[-1].node), (yyvsp[0].node)); }
#line 2200 "y.tab.c"
    break;

  case 57: /* comp_item: clauses struct fallback  */
#line 160 "compiler/parse.y"
                                  { (yyval.node) = node_comprehension(p, (yyvsp[-2].list), (yyvsp[-1].node), (yyvsp[0].node)); }
#line 2206 "y.tab.c"
    break;

  case 58: /* comp_item: clauses sep struct fallback  */
#line 161 "compiler/parse.y"
                                  { (yyval.node) = node_comprehension(p, (yyvsp[-3].list), (yyvsp[-1].node), (yyvsp[0].node)); }
#line 2212 "y.tab.c"
    break;

  case 59: /* decl_clauses: first_decl_clause  */
#line 164 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[0].node)); }
#line 2218 "y.tab.c"
    break;

  case 60: /* decl_clauses: decl_clauses clause  */
#line 165 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-1].list), (yyvsp[0].node)); }
#line 2224 "y.tab.c"
    break;

  case 61: /* decl_clauses: decl_clauses sep clause  */
#line 166 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[0].node)); }
#line 2230 "y.tab.c"
    break;

  case 62: /* clauses: first_clause  */
#line 169 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[0].node)); }
#line 2236 "y.tab.c"
    break;

  case 63: /* clauses: clauses clause  */
#line 170 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-1].list), (yyvsp[0].node)); }
#line 2242 "y.tab.c"
    break;

  case 64: /* clauses: clauses sep clause  */
#line 171 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[0].node)); }
#line 2248 "y.tab.c"
    break;

  case 73: /* for_clause: FOR ident IN expr  */
#line 177 "compiler/parse.y"
                                  { (yyval.node) = node_for(p, (yylsp[-3]), NULL, 0, (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2254 "y.tab.c"
    break;

  case 74: /* for_clause: FOR ident sep ident IN expr  */
#line 178 "compiler/parse.y"
                                  { (yyval.node) = node_for(p, (yylsp[-5]), (yyvsp[-4].node), (yylsp[-3]).pos, (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2260 "y.tab.c"
    break;

  case 75: /* if_clause: IF expr  */
#line 180 "compiler/parse.y"
                                  { (yyval.node) = node_wrap(p, AST_IF, (yyloc), (yyvsp[0].node)); }
#line 2266 "y.tab.c"
    break;

  case 76: /* let_clause: LET ident BIND expr  */
#line 181 "compiler/parse.y"
                                  { (yyval.node) = node_bind(p, AST_LET, (yylsp[-3]), (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2272 "y.tab.c"
    break;

  case 77: /* try_clause: TRY  */
#line 183 "compiler/parse.y"
                                  { (yyval.node) = node_bind(p, AST_TRY, (yylsp[0]), NULL, 0, NULL); }
#line 2278 "y.tab.c"
    break;

  case 78: /* try_clause: TRY ident BIND expr  */
#line 184 "compiler/parse.y"
                                  { (yyval.node) = node_bind(p, AST_TRY, (yylsp[-3]), (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2284 "y.tab.c"
    break;

  case 79: /* fallback: %empty  */
#line 187 "compiler/parse.y"
                                  { (yyval.node) = NULL; }
#line 2290 "y.tab.c"
    break;

  case 80: /* fallback: ELSE struct  */
#line 188 "compiler/parse.y"
                                  { (yyval.node) = node_fallback(p, TOK_ELSE, (yylsp[-1]), (yyvsp[0].node)); }
#line 2296 "y.tab.c"
    break;

  case 81: /* fallback: OTHERWISE struct  */
#line 189 "compiler/parse.y"
                                  { (yyval.node) = node_fallback(p, TOK_OTHERWISE, (yylsp[-1]), (yyvsp[0].node)); }
#line 2302 "y.tab.c"
    break;

  case 82: /* fallback: FALLBACK struct  */
#line 190 "compiler/parse.y"
                                  { (yyval.node) = node_fallback(p, TOK_FALLBACK, (yylsp[-1]), (yyvsp[0].node)); }
#line 2308 "y.tab.c"
    break;

  case 84: /* expr: expr OR expr  */
#line 197 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_OR, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2314 "y.tab.c"
    break;

  case 85: /* expr: expr AND expr  */
#line 198 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_AND, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2320 "y.tab.c"
    break;

  case 86: /* expr: expr LOR expr  */
#line 199 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_LOR, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2326 "y.tab.c"
    break;

  case 87: /* expr: expr LAND expr  */
#line 200 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_LAND, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2332 "y.tab.c"
    break;

  case 88: /* expr: expr EQL expr  */
#line 201 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_EQL, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2338 "y.tab.c"
    break;

  case 89: /* expr: expr NEQ expr  */
#line 202 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_NEQ, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2344 "y.tab.c"
    break;

  case 90: /* expr: expr LSS expr  */
#line 203 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_LSS, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2350 "y.tab.c"
    break;

  case 91: /* expr: expr LEQ expr  */
#line 204 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_LEQ, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2356 "y.tab.c"
    break;

  case 92: /* expr: expr GTR expr  */
#line 205 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_GTR, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2362 "y.tab.c"
    break;

  case 93: /* expr: expr GEQ expr  */
#line 206 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_GEQ, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2368 "y.tab.c"
    break;

  case 94: /* expr: expr MAT expr  */
#line 207 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_MAT, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2374 "y.tab.c"
    break;

  case 95: /* expr: expr NMAT expr  */
#line 208 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_NMAT, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2380 "y.tab.c"
    break;

  case 96: /* expr: expr ADD expr  */
#line 209 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_ADD, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2386 "y.tab.c"
    break;

  case 97: /* expr: expr SUB expr  */
#line 210 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_SUB, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2392 "y.tab.c"
    break;

  case 98: /* expr: expr MUL expr  */
#line 211 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_MUL, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2398 "y.tab.c"
    break;

  case 99: /* expr: expr QUO expr  */
#line 212 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_QUO, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2404 "y.tab.c"
    break;

  case 100: /* expr: expr IDIV expr  */
#line 213 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_IDIV, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2410 "y.tab.c"
    break;

  case 101: /* expr: expr IMOD expr  */
#line 214 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_IMOD, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2416 "y.tab.c"
    break;

  case 102: /* expr: expr IQUO expr  */
#line 215 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_IQUO, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2422 "y.tab.c"
    break;

  case 103: /* expr: expr IREM expr  */
#line 216 "compiler/parse.y"
                                  { (yyval.node) = node_binary(p, TOK_IREM, (yylsp[-1]).pos, (yyvsp[-2].node), (yyvsp[0].node)); }
#line 2428 "y.tab.c"
    break;

  case 105: /* unary: ADD unary  */
#line 220 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_ADD, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2434 "y.tab.c"
    break;

  case 106: /* unary: SUB unary  */
#line 221 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_SUB, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2440 "y.tab.c"
    break;

  case 107: /* unary: NOT unary  */
#line 222 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_NOT, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2446 "y.tab.c"
    break;

  case 108: /* unary: MUL unary  */
#line 223 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_MUL, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2452 "y.tab.c"
    break;

  case 109: /* unary: LSS unary  */
#line 224 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_LSS, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2458 "y.tab.c"
    break;

  case 110: /* unary: LEQ unary  */
#line 225 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_LEQ, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2464 "y.tab.c"
    break;

  case 111: /* unary: GTR unary  */
#line 226 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_GTR, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2470 "y.tab.c"
    break;

  case 112: /* unary: GEQ unary  */
#line 227 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_GEQ, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2476 "y.tab.c"
    break;

  case 113: /* unary: EQL unary  */
#line 228 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_EQL, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2482 "y.tab.c"
    break;

  case 114: /* unary: NEQ unary  */
#line 229 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_NEQ, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2488 "y.tab.c"
    break;

  case 115: /* unary: MAT unary  */
#line 230 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_MAT, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2494 "y.tab.c"
    break;

  case 116: /* unary: NMAT unary  */
#line 231 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_UNARY, (yyloc), TOK_NMAT, (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2500 "y.tab.c"
    break;

  case 119: /* primary: IDENT OPTION  */
#line 236 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_POSTFIX, (yyloc), TOK_OPTION, (yylsp[0]).pos, node_text(p, AST_IDENT, (yylsp[-1]), (yyvsp[-1].text))); }
#line 2506 "y.tab.c"
    break;

  case 120: /* primary: selectable OPTION  */
#line 237 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_POSTFIX, (yyloc), TOK_OPTION, (yylsp[0]).pos, (yyvsp[-1].node)); }
#line 2512 "y.tab.c"
    break;

  case 121: /* primary: primary LBRACK expr_opt COLON expr_opt RBRACK  */
#line 239 "compiler/parse.y"
                                  { (yyval.node) = node_slice(p, (yyvsp[-5].node), (yyvsp[-3].node), (yyvsp[-1].node), (yylsp[-4]), (yylsp[0])); }
#line 2518 "y.tab.c"
    break;

  case 122: /* primary: primary LPAREN args RPAREN  */
#line 240 "compiler/parse.y"
                                  { (yyval.node) = node_call(p, (yyvsp[-3].node), (yylsp[-2]), (yyvsp[-1].list), (yylsp[0])); }
#line 2524 "y.tab.c"
    break;

  case 123: /* primary: primary ELLIPSIS  */
#line 241 "compiler/parse.y"
                                  { (yyval.node) = node_unary(p, AST_POSTFIX, (yyloc), TOK_ELLIPSIS, (yylsp[0]).pos, (yyvsp[-1].node)); }
#line 2530 "y.tab.c"
    break;

  case 124: /* selectable: primary PERIOD selector  */
#line 244 "compiler/parse.y"
                                  { (yyval.node) = node_selector(p, (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2536 "y.tab.c"
    break;

  case 125: /* selectable: primary LBRACK expr RBRACK  */
#line 245 "compiler/parse.y"
                                  { (yyval.node) = node_index(p, (yyvsp[-3].node), (yyvsp[-1].node), (yylsp[-2]), (yylsp[0])); }
#line 2542 "y.tab.c"
    break;

  case 128: /* selector: TRUE  */
#line 249 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_IDENT, (yylsp[0]), (yyvsp[0].text)); }
#line 2548 "y.tab.c"
    break;

  case 129: /* selector: FALSE  */
#line 250 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_IDENT, (yylsp[0]), (yyvsp[0].text)); }
#line 2554 "y.tab.c"
    break;

  case 130: /* selector: NULL  */
#line 251 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_IDENT, (yylsp[0]), (yyvsp[0].text)); }
#line 2560 "y.tab.c"
    break;

  case 131: /* expr_opt: %empty  */
#line 253 "compiler/parse.y"
                                  { (yyval.node) = NULL; }
#line 2566 "y.tab.c"
    break;

  case 133: /* args: %empty  */
#line 254 "compiler/parse.y"
                                  { (yyval.list) = (AstList){0}; }
#line 2572 "y.tab.c"
    break;

  case 136: /* arg_seq: expr  */
#line 256 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[0].node)); }
#line 2578 "y.tab.c"
    break;

  case 137: /* arg_seq: arg_seq sep expr  */
#line 257 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[0].node)); }
#line 2584 "y.tab.c"
    break;

  case 144: /* operand: INT  */
#line 262 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_INT, (yylsp[0]), (yyvsp[0].text)); }
#line 2590 "y.tab.c"
    break;

  case 145: /* operand: FLOAT  */
#line 263 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_FLOAT, (yylsp[0]), (yyvsp[0].text)); }
#line 2596 "y.tab.c"
    break;

  case 146: /* operand: TRUE  */
#line 264 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_TRUE, (yylsp[0]), (yyvsp[0].text)); }
#line 2602 "y.tab.c"
    break;

  case 147: /* operand: FALSE  */
#line 265 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_FALSE, (yylsp[0]), (yyvsp[0].text)); }
#line 2608 "y.tab.c"
    break;

  case 148: /* operand: NULL  */
#line 266 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_NULL, (yylsp[0]), (yyvsp[0].text)); }
#line 2614 "y.tab.c"
    break;

  case 149: /* operand: BOTTOM  */
#line 267 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_BOTTOM, (yylsp[0])); }
#line 2620 "y.tab.c"
    break;

  case 150: /* operand: BADEXPR  */
#line 268 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_BAD_EXPR, (yylsp[0])); }
#line 2626 "y.tab.c"
    break;

  case 151: /* ident: IDENT  */
#line 270 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_IDENT, (yylsp[0]), (yyvsp[0].text)); }
#line 2632 "y.tab.c"
    break;

  case 152: /* name: IDENT  */
#line 272 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_IDENT, (yylsp[0]), (yyvsp[0].text)); }
#line 2638 "y.tab.c"
    break;

  case 153: /* name: KEYNAME  */
#line 273 "compiler/parse.y"
                                  { (yyval.node) = node_text(p, AST_IDENT, (yylsp[0]), (yyvsp[0].text)); }
#line 2644 "y.tab.c"
    break;

  case 154: /* string: STRING  */
#line 275 "compiler/parse.y"
                                  { (yyval.node) = node_literal(p, TOK_STRING, (yylsp[0]), (yyvsp[0].text)); }
#line 2650 "y.tab.c"
    break;

  case 155: /* paren: LPAREN expr RPAREN  */
#line 276 "compiler/parse.y"
                                  { (yyval.node) = node_wrap(p, AST_PAREN, (yyloc), (yyvsp[-1].node)); (yyval.node)->open = (yylsp[-2]).pos; (yyval.node)->close = (yylsp[0]).pos; }
#line 2656 "y.tab.c"
    break;

  case 156: /* struct: LBRACE decls RBRACE  */
#line 277 "compiler/parse.y"
                                  { (yyval.node) = node_list(p, AST_STRUCT, (yylsp[-2]), (yylsp[0]), (yyvsp[-1].list)); }
#line 2662 "y.tab.c"
    break;

  case 157: /* interpolation: interpolation_open LASTPIECE  */
#line 280 "compiler/parse.y"
                                  { (yyval.node) = (yyvsp[-1].node); (yyval.node)->u.list = node_list_add(p, (yyval.node)->u.list, node_literal(p, TOK_STRING, (yylsp[0]), (yyvsp[0].text)));
                                    (yyval.node)->end = (yylsp[0]).end; }
#line 2669 "y.tab.c"
    break;

  case 158: /* interpolation_open: INTERPOLATION expr  */
#line 284 "compiler/parse.y"
                                  { (yyval.node) = node_list(p, AST_INTERPOLATION, (yyloc), (Span){0},
                                         node_list_add(p, node_list1(p, node_literal(p, TOK_STRING, (yylsp[-1]), (yyvsp[-1].text))), (yyvsp[0].node))); }
#line 2676 "y.tab.c"
    break;

  case 159: /* interpolation_open: interpolation_open PIECE expr  */
#line 286 "compiler/parse.y"
                                  { AstList l = node_list_add(p, (yyvsp[-2].node)->u.list, node_literal(p, TOK_STRING, (yylsp[-1]), (yyvsp[-1].text)));
                                    (yyval.node) = node_list(p, AST_INTERPOLATION, (yyloc), (Span){0}, node_list_add(p, l, (yyvsp[0].node))); }
#line 2683 "y.tab.c"
    break;

  case 160: /* list: LBRACK list_items RBRACK  */
#line 292 "compiler/parse.y"
                                  { (yyval.node) = node_list(p, AST_LIST, (yylsp[-2]), (yylsp[0]), (yyvsp[-1].list)); }
#line 2689 "y.tab.c"
    break;

  case 161: /* list_items: %empty  */
#line 294 "compiler/parse.y"
                                  { (yyval.list) = (AstList){0}; }
#line 2695 "y.tab.c"
    break;

  case 163: /* list_items: last_item  */
#line 296 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[0].node)); }
#line 2701 "y.tab.c"
    break;

  case 164: /* list_items: items last_item  */
#line 297 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-1].list), (yyvsp[0].node)); }
#line 2707 "y.tab.c"
    break;

  case 165: /* items: elem COMMA  */
#line 300 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[-1].node)); }
#line 2713 "y.tab.c"
    break;

  case 166: /* items: elem NEWLINE COMMA  */
#line 301 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[-2].node)); }
#line 2719 "y.tab.c"
    break;

  case 167: /* items: comp_item sep  */
#line 302 "compiler/parse.y"
                                  { (yyval.list) = node_list1(p, (yyvsp[-1].node)); }
#line 2725 "y.tab.c"
    break;

  case 168: /* items: items elem COMMA  */
#line 303 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[-1].node)); }
#line 2731 "y.tab.c"
    break;

  case 169: /* items: items elem NEWLINE COMMA  */
#line 304 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-3].list), (yyvsp[-2].node)); }
#line 2737 "y.tab.c"
    break;

  case 170: /* items: items comp_item sep  */
#line 305 "compiler/parse.y"
                                  { (yyval.list) = node_list_add(p, (yyvsp[-2].list), (yyvsp[-1].node)); }
#line 2743 "y.tab.c"
    break;

  case 176: /* rest: ELLIPSIS  */
#line 309 "compiler/parse.y"
                                  { (yyval.node) = node_new(p, AST_ELLIPSIS, (yylsp[0])); }
#line 2749 "y.tab.c"
    break;

  case 177: /* rest: ELLIPSIS expr  */
#line 310 "compiler/parse.y"
                                  { (yyval.node) = node_wrap(p, AST_ELLIPSIS, (yyloc), (yyvsp[0].node)); }
#line 2755 "y.tab.c"
    break;

  case 179: /* elem: name BIND expr  */
#line 314 "compiler/parse.y"
                                  { (yyval.node) = node_alias(p, (yyvsp[-2].node), (yylsp[-1]).pos, (yyvsp[0].node)); }
#line 2761 "y.tab.c"
    break;


#line 2765 "y.tab.c"

      default: break;
    }
  /* User semantic actions sometimes alter yychar, and that requires
     that yytoken be updated with the new translation.  We take the
     approach of translating immediately before every use of yytoken.
     One alternative is translating here after every semantic action,
     but that translation would be missed if the semantic action invokes
     YYABORT, YYACCEPT, or YYERROR immediately after altering yychar or
     if it invokes YYBACKUP.  In the case of YYABORT or YYACCEPT, an
     incorrect destructor might then be invoked immediately.  In the
     case of YYERROR or YYBACKUP, subsequent parser actions might lead
     to an incorrect destructor call or verbose syntax error message
     before the lookahead is translated.  */
  YY_SYMBOL_PRINT ("-> $$ =", YY_CAST (yysymbol_kind_t, yyr1[yyn]), &yyval, &yyloc);

  YYPOPSTACK (yylen);
  yylen = 0;

  *++yyvsp = yyval;
  *++yylsp = yyloc;

  /* Now 'shift' the result of the reduction.  Determine what state
     that goes to, based on the state we popped back to and the rule
     number reduced by.  */
  {
    const int yylhs = yyr1[yyn] - YYNTOKENS;
    const int yyi = yypgoto[yylhs] + *yyssp;
    yystate = (0 <= yyi && yyi <= YYLAST && yycheck[yyi] == *yyssp
               ? yytable[yyi]
               : yydefgoto[yylhs]);
  }

  goto yynewstate;


/*--------------------------------------.
| yyerrlab -- here on detecting error.  |
`--------------------------------------*/
yyerrlab:
  /* Make sure we have latest lookahead translation.  See comments at
     user semantic actions for why this is necessary.  */
  yytoken = yychar == T_LREMPTY ? YYSYMBOL_YYEMPTY : YYTRANSLATE (yychar);
  /* If not already recovering from an error, report this error.  */
  if (!yyerrstatus)
    {
      ++yynerrs;
      {
        yypcontext_t yyctx
          = {yyps, yytoken, &yylloc};
        if (yyreport_syntax_error (&yyctx, p) == 2)
          YYNOMEM;
      }
    }

  yyerror_range[1] = yylloc;
  if (yyerrstatus == 3)
    {
      /* If just tried and failed to reuse lookahead token after an
         error, discard it.  */

      if (yychar <= T_EOF)
        {
          /* Return failure if at end of input.  */
          if (yychar == T_EOF)
            YYABORT;
        }
      else
        {
          yydestruct ("Error: discarding",
                      yytoken, &yylval, &yylloc, p);
          yychar = T_LREMPTY;
        }
    }

  /* Else will try to reuse lookahead token after shifting the error
     token.  */
  goto yyerrlab1;


/*---------------------------------------------------.
| yyerrorlab -- error raised explicitly by YYERROR.  |
`---------------------------------------------------*/
yyerrorlab:
  /* Pacify compilers when the user code never invokes YYERROR and the
     label yyerrorlab therefore never appears in user code.  */
  if (0)
    YYERROR;
  ++yynerrs;

  /* Do not reclaim the symbols of the rule whose action triggered
     this YYERROR.  */
  YYPOPSTACK (yylen);
  yylen = 0;
  YY_STACK_PRINT (yyss, yyssp);
  yystate = *yyssp;
  goto yyerrlab1;


/*-------------------------------------------------------------.
| yyerrlab1 -- common code for both syntax error and YYERROR.  |
`-------------------------------------------------------------*/
yyerrlab1:
  yyerrstatus = 3;      /* Each real token shifted decrements this.  */

  /* Pop stack until we find a state that shifts the error token.  */
  for (;;)
    {
      yyn = yypact[yystate];
      if (!yypact_value_is_default (yyn))
        {
          yyn += YYSYMBOL_YYerror;
          if (0 <= yyn && yyn <= YYLAST && yycheck[yyn] == YYSYMBOL_YYerror)
            {
              yyn = yytable[yyn];
              if (0 < yyn)
                break;
            }
        }

      /* Pop the current state because it cannot handle the error token.  */
      if (yyssp == yyss)
        YYABORT;

      yyerror_range[1] = *yylsp;
      yydestruct ("Error: popping",
                  YY_ACCESSING_SYMBOL (yystate), yyvsp, yylsp, p);
      YYPOPSTACK (1);
      yystate = *yyssp;
      YY_STACK_PRINT (yyss, yyssp);
    }

  YY_IGNORE_MAYBE_UNINITIALIZED_BEGIN
  *++yyvsp = yylval;
  YY_IGNORE_MAYBE_UNINITIALIZED_END

  yyerror_range[2] = yylloc;
  ++yylsp;
  YYLLOC_DEFAULT (*yylsp, yyerror_range, 2);

  /* Shift the error token.  */
  YY_SYMBOL_PRINT ("Shifting", YY_ACCESSING_SYMBOL (yyn), yyvsp, yylsp);

  yystate = yyn;
  goto yynewstate;


/*-------------------------------------.
| yyacceptlab -- YYACCEPT comes here.  |
`-------------------------------------*/
yyacceptlab:
  yyresult = 0;
  goto yyreturnlab;


/*-----------------------------------.
| yyabortlab -- YYABORT comes here.  |
`-----------------------------------*/
yyabortlab:
  yyresult = 1;
  goto yyreturnlab;


/*-----------------------------------------------------------.
| yyexhaustedlab -- YYNOMEM (memory exhaustion) comes here.  |
`-----------------------------------------------------------*/
yyexhaustedlab:
  yyerror (&yylloc, p, YY_("memory exhausted"));
  yyresult = 2;
  goto yyreturnlab;


/*----------------------------------------------------------.
| yyreturnlab -- parsing is finished, clean up and return.  |
`----------------------------------------------------------*/
yyreturnlab:
  if (yychar != T_LREMPTY)
    {
      /* Make sure we have latest lookahead translation.  See comments at
         user semantic actions for why this is necessary.  */
      yytoken = YYTRANSLATE (yychar);
      yydestruct ("Cleanup: discarding lookahead",
                  yytoken, &yylval, &yylloc, p);
    }
  /* Do not reclaim the symbols of the rule whose action triggered
     this YYABORT or YYACCEPT.  */
  YYPOPSTACK (yylen);
  YY_STACK_PRINT (yyss, yyssp);
  while (yyssp != yyss)
    {
      yydestruct ("Cleanup: popping",
                  YY_ACCESSING_SYMBOL (+*yyssp), yyvsp, yylsp, p);
      YYPOPSTACK (1);
    }
  yyps->yynew = 2;
  goto yypushreturn;


/*-------------------------.
| yypushreturn -- return.  |
`-------------------------*/
yypushreturn:

  return yyresult;
}
#undef lrnerrs
#undef yystate
#undef yyerrstatus
#undef yyssa
#undef yyss
#undef yyssp
#undef yyvsa
#undef yyvs
#undef yyvsp
#undef yylsa
#undef yyls
#undef yylsp
#undef yystacksize
#line 317 "compiler/parse.y"


/* From Tok and LR_* to the symbols of the automaton. */
static const int terminals[LR_COUNT] = {
#define TOK(name, text, prec) [TOK_##name] = T_##name,
#include "compiler/token.def"
#undef TOK
  [LR_NEWLINE] = T_NEWLINE, [LR_KEYNAME] = T_KEYNAME, [LR_BADEXPR] = T_BADEXPR, [LR_PIECE] = T_PIECE,
  [LR_LASTPIECE] = T_LASTPIECE, [LR_OPTIONAL] = T_OPTIONAL, [LR_PACKAGE] = T_PACKAGE, [LR_IMPORT] = T_IMPORT,
  [LR_START_EXPR] = T_START_EXPR,
};

struct Lr {
  lrpstate ps;
};

static void lrerror(Span *at, Parser *p, const char *message) {
  (void)message;
  parse_error(p, at->pos, "nested too deeply");
  p->stop = true;
}

static int yyreport_syntax_error(const yypcontext_t *ctx, Parser *p) {
  (void)ctx, (void)p;
  assert(!"the driver pushes only what lr_accepts");
  return 0;
}

Lr *lr_new(Parser *p) {
  Lr *lr = cue_new(p->a, Lr);
  lr->ps.yystacksize = YYINITDEPTH;
  lr->ps.yyss = lr->ps.yyssa;
  lr->ps.yyvs = lr->ps.yyvsa;
  lr->ps.yyls = lr->ps.yylsa;
  yypstate_clear(&lr->ps);
  return lr;
}

/* Runs the reductions that the symbol would cause, on states alone: those of the stack
** below `top` are real, those above it are in `over`. */
bool lr_accepts(const Lr *lr, int sym) {
  enum { OVER = 64 }; /* reductions before a shift never grow the stack by more than the grammar is high */
  yy_state_t over[OVER];
  const yy_state_t *bottom = lr->ps.yyss, *top = lr->ps.yynew ? bottom : lr->ps.yyssp;
  int n = 0;
  int state = lr->ps.yynew ? 0 : *top;
  const int token = YYTRANSLATE(terminals[sym]);
  for (;;) {
    int rule = yypact[state];
    if (yypact_value_is_default(rule)) {
      rule = yydefact[state];
      if (rule == 0) return false;
    } else {
      rule += token;
      if (rule < 0 || YYLAST < rule || yycheck[rule] != token) {
        rule = yydefact[state];
        if (rule == 0) return false;
      } else {
        rule = yytable[rule];
        if (yytable_value_is_error(rule)) return false;
        if (rule > 0) return true; /* shift */
        rule = -rule;
      }
    }
    int len = yyr2[rule];
    int gone = len < n ? len : n;
    n -= gone;
    top -= len - gone;
    state = n > 0 ? over[n - 1] : *top;
    const int lhs = yyr1[rule] - YYNTOKENS;
    const int to = yypgoto[lhs] + state;
    state = 0 <= to && to <= YYLAST && yycheck[to] == state ? yytable[to] : yydefgoto[lhs];
    if (n == OVER) return false;
    over[n++] = (yy_state_t)state;
  }
}

bool lr_push(Lr *lr, Parser *p, int sym, Span at, CueStr text) {
  LRSTYPE value = {.text = text};
  return lrpush_parse(&lr->ps, terminals[sym], &value, &at, p) == YYPUSH_MORE;
}
